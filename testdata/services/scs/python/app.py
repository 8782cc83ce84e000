"""The string case study as a REST service: `scs.py` by paths, answered with bare texts.

All of its answers are in its document, 400 too, which is for numbers that are none. `/api/regex`
is `/api/pat/{txt}` once more, with a parameter that may have slashes in it, as addresses need.
"""

from typing import Annotated

from fastapi import Path, Query
from fastapi.responses import PlainTextResponse

import scs
from cases import Api, Double, Int32


Text = Annotated[str, Path()]


app = Api(title="String case study", version="1.0", default_response_class=PlainTextResponse)
BAD_REQUEST = {400: {"description": "A number that is none"}}


@app.get("/api/calc/{op}/{arg1}/{arg2}", responses=BAD_REQUEST)
async def calc(op: Text, arg1: Double, arg2: Double) -> str:
    return str(scs.calc(op, arg1, arg2))


@app.get("/api/cookie/{name}/{val}/{site}")
async def cookie(name: Text, val: Text, site: Text) -> str:
    return scs.cookie(name, val, site)


@app.get("/api/costfuns/{i}/{s}", responses=BAD_REQUEST)
async def costfuns(i: Int32, s: Text) -> str:
    return scs.costfuns(i, s)


@app.get("/api/dateparse/{dayname}/{monthname}")
async def date_parse(dayname: Text, monthname: Text) -> str:
    return scs.date_parse(dayname, monthname)


@app.get("/api/filesuffix/{directory}/{file}")
async def file_suffix(directory: Text, file: Text) -> str:
    return scs.file_suffix(directory, file)


@app.get("/api/notypevar/{i}/{s}", responses=BAD_REQUEST)
async def not_y_pevar(i: Int32, s: Text) -> str:
    return scs.not_y_pevar(i, s)


@app.get("/api/ordered4/{w}/{x}/{z}/{y}")
async def ordered4(w: Text, x: Text, z: Text, y: Text) -> str:
    return scs.ordered4(w, x, z, y)


@app.get("/api/pat/{txt}/{pat}")
async def pat(txt: Text, pat: Text) -> str:
    return scs.pat(txt, pat)


@app.get("/api/pat/{txt}")
async def regex(txt: Text) -> str:
    return scs.regex(txt)


@app.get("/api/regex", responses=BAD_REQUEST)
async def regex_of_parameter(txt: Annotated[str, Query()]) -> str:
    return scs.regex(txt)


@app.get("/api/text2txt/{word1}/{word2}/{word3}")
async def text2txt(word1: Text, word2: Text, word3: Text) -> str:
    return scs.text2txt(word1, word2, word3)


@app.get("/api/title/{sex}/{title}")
async def title(sex: Text, title: Text) -> str:
    return scs.title(sex, title)
