//! Scalars that people agree on: a flat table, by names in lower case without signs.
//!
//! Gathered from what the common libraries of the common languages offer. A format is promised of
//! answers only where those libraries agree on it; where they differ (times without a zone,
//! timestamps as numbers) nothing is promised and only what is sent is chosen.

use fossick_contract::JsonKind::{self, Any, Integer, Number, Text, TextOrNumber};

use super::scalars::{Known, Sent};

/// Promised and sent alike.
const fn format(format: &'static str) -> Known {
    Known {
        json: Text,
        format: Some(format),
        sent: Sent::Format(format),
    }
}

const fn known(json: JsonKind, sent: Sent) -> Known {
    Known {
        json,
        format: None,
        sent,
    }
}

const fn integer(low: f64, high: f64) -> Known {
    known(Integer, Sent::Integer(low, high))
}

const fn number(low: f64, high: f64) -> Known {
    known(Number, Sent::Number(low, high))
}

const fn pattern(pattern: &'static str) -> Known {
    known(Text, Sent::Pattern(pattern))
}

const fn examples(all: &'static [&'static str]) -> Known {
    known(Text, Sent::Examples(all))
}

const INT: f64 = 2_147_483_647.0;
/// The largest integer that JavaScript counts to without skipping one.
const SAFE: f64 = 9_007_199_254_740_991.0;
const LARGE: f64 = 1.0e9;

/// Names of custom scalars and what they are.
pub(super) const TABLE: &[(&[&str], Known)] = &[
    // Times.
    (
        &[
            "date",
            "localdate",
            "dateonly",
            "isodate",
            "calendardate",
            "awsdate",
        ],
        format("date"),
    ),
    (
        &[
            "datetime",
            "datetimeiso",
            "isodatetime",
            "iso8601datetime",
            "instant",
            "datetimetz",
            "datetimeoffset",
            "zoneddatetime",
            "offsetdatetime",
            "timestamptz",
            "utcdatetime",
            "awsdatetime",
            "gittimestamp",
            "precisedatetime",
        ],
        format("date-time"),
    ),
    (
        &["localdatetime", "naivedatetime"],
        pattern(
            "^20[0-4][0-9]-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]$",
        ),
    ),
    (
        &["timestamp"],
        known(TextOrNumber, Sent::Format("date-time")),
    ),
    (
        &[
            "awstimestamp",
            "unixtimestamp",
            "unixtime",
            "epoch",
            "epochseconds",
        ],
        known(TextOrNumber, Sent::Integer(0.0, INT)),
    ),
    (
        &["time", "timetz", "awstime", "offsettime"],
        known(Text, Sent::Format("time")),
    ),
    (
        &["localtime", "naivetime", "localendtime"],
        pattern("^([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]$"),
    ),
    (
        &[
            "duration",
            "isoduration",
            "iso8601duration",
            "period",
            "timespan",
        ],
        known(TextOrNumber, Sent::Format("duration")),
    ),
    (
        &["interval"],
        known(Any, Sent::Examples(&["1 day", "2 hours", "00:30:00"])),
    ),
    (
        &["timezone", "ianatimezone"],
        examples(&["Europe/Berlin", "America/New_York", "UTC"]),
    ),
    (&["utcoffset"], examples(&["+01:00", "-05:00", "+00:00"])),
    (
        &["year"],
        known(TextOrNumber, Sent::Integer(1900.0, 2100.0)),
    ),
    (
        &["month", "monthnumber"],
        known(TextOrNumber, Sent::Integer(1.0, 12.0)),
    ),
    (&["yearmonth"], pattern("^20[0-4][0-9]-(0[1-9]|1[0-2])$")),
    // Identifiers.
    (&["uuid", "guid", "uuid4", "uuidv4"], format("uuid")),
    (
        &["objectid", "mongoid", "bsonobjectid"],
        pattern("^[0-9a-f]{24}$"),
    ),
    (&["gitobjectid", "sha1"], pattern("^[0-9a-f]{40}$")),
    (&["ulid"], pattern("^0[0-9A-HJKMNP-TV-Z]{25}$")),
    (&["cuid"], pattern("^c[a-z0-9]{24}$")),
    (&["cuid2", "nanoid"], pattern("^[a-z][a-z0-9]{20}$")),
    (&["did"], examples(&["did:example:123456789abcdefghi"])),
    (&["slug"], pattern("^[a-z]{3,8}(-[a-z]{3,8})?$")),
    (&["id", "globalid", "oid"], known(TextOrNumber, Sent::Text)),
    (&["cursor", "connectioncursor"], known(Text, Sent::Text)),
    (
        &["semver", "version"],
        pattern("^[0-9]\\.[0-9]{1,2}\\.[0-9]{1,2}$"),
    ),
    (
        &["jwt", "jwttoken"],
        pattern("^eyJ[A-Za-z0-9_-]{20}\\.eyJ[A-Za-z0-9_-]{20}\\.[A-Za-z0-9_-]{30}$"),
    ),
    // The net.
    (
        &[
            "url",
            "uri",
            "httpurl",
            "weburl",
            "absoluteurl",
            "awsurl",
            "https",
        ],
        format("uri"),
    ),
    (&["email", "emailaddress", "awsemail"], format("email")),
    (
        &["hostname", "domain", "domainname", "fqdn"],
        known(Text, Sent::Format("hostname")),
    ),
    (&["ipv4"], format("ipv4")),
    (&["ipv6"], format("ipv6")),
    (
        &["ip", "ipaddress", "internetaddress", "inet", "awsipaddress"],
        known(Text, Sent::Format("ipv4")),
    ),
    (&["cidr"], examples(&["10.0.0.0/8", "192.168.0.0/16"])),
    (
        &["mac", "macaddress", "macaddr"],
        pattern("^([0-9a-f]{2}:){5}[0-9a-f]{2}$"),
    ),
    (&["port"], integer(0.0, 65_535.0)),
    (
        &["phonenumber", "phone", "awsphone"],
        examples(&["+14155552671", "+493012345678"]),
    ),
    // Numbers.
    (&["positiveint"], integer(1.0, INT)),
    (
        &["nonnegativeint", "unsignedint", "uint", "uint32"],
        integer(0.0, INT),
    ),
    (&["negativeint"], integer(-INT - 1.0, -1.0)),
    (&["nonpositiveint"], integer(-INT - 1.0, 0.0)),
    (&["int32", "integer"], integer(-INT - 1.0, INT)),
    (
        &["short", "int16", "smallint"],
        integer(-32_768.0, 32_767.0),
    ),
    (
        &["uint16", "unsignedshort", "ushort"],
        integer(0.0, 65_535.0),
    ),
    (&["int8", "tinyint", "sbyte"], integer(-128.0, 127.0)),
    (&["uint8", "unsignedbyte"], integer(0.0, 255.0)),
    (&["byte"], known(TextOrNumber, Sent::Integer(0.0, 127.0))),
    (
        &["safeint", "int52", "int53"],
        known(TextOrNumber, Sent::Integer(-SAFE, SAFE)),
    ),
    (
        &[
            "bigint",
            "biginteger",
            "long",
            "int64",
            "longint",
            "bigserial",
            "serial",
        ],
        known(TextOrNumber, Sent::Integer(-SAFE, SAFE)),
    ),
    (
        &[
            "uint64",
            "unsignedlong",
            "ulong",
            "biguint",
            "blocknumber",
            "uint256",
        ],
        known(TextOrNumber, Sent::Integer(0.0, SAFE)),
    ),
    (
        &[
            "decimal",
            "bigdecimal",
            "money",
            "bigfloat",
            "numeric",
            "monetaryamount",
            "weight",
        ],
        known(TextOrNumber, Sent::Number(-LARGE, LARGE)),
    ),
    (
        &["positivedecimal"],
        known(TextOrNumber, Sent::Number(0.01, LARGE)),
    ),
    (
        &["double", "float64", "float32", "real", "number"],
        number(-LARGE, LARGE),
    ),
    (&["positivefloat"], number(0.01, LARGE)),
    (&["nonnegativefloat", "unsignedfloat"], number(0.0, LARGE)),
    (&["negativefloat"], number(-LARGE, -0.01)),
    (&["nonpositivefloat"], number(-LARGE, 0.0)),
    (
        &["latitude"],
        known(TextOrNumber, Sent::Number(-90.0, 90.0)),
    ),
    (
        &["longitude"],
        known(TextOrNumber, Sent::Number(-180.0, 180.0)),
    ),
    // Anything.
    (
        &[
            "json",
            "jsonb",
            "any",
            "object",
            "map",
            "genericscalar",
            "mixed",
            "dictionary",
            "hash",
            "untyped",
            "dynamic",
            "jsonvalue",
            "rawjson",
            "anytype",
            "scalar",
            "record",
        ],
        known(Any, Sent::Any),
    ),
    (
        &["jsonobject", "jsonmap", "keyvalue", "dict", "hstore"],
        known(Any, Sent::Object),
    ),
    (
        &["jsonstring", "awsjson"],
        examples(&["{}", "{\"a\": 1}", "[1, 2]"]),
    ),
    (&["upload", "file", "fileupload"], known(Any, Sent::Any)),
    (
        &["void", "null", "unit", "empty", "nothing"],
        known(Any, Sent::Any),
    ),
    (
        &[
            "geojson",
            "geometry",
            "geography",
            "point",
            "polygon",
            "buffer",
        ],
        known(Any, Sent::Any),
    ),
    // Texts.
    (
        &[
            "base64",
            "base64string",
            "base64binary",
            "base64encoded",
            "bytes",
            "bytea",
            "binary",
            "blob",
            "bytearray",
        ],
        known(Text, Sent::Format("byte")),
    ),
    (
        &["hex", "hexadecimal", "hexstring"],
        pattern("^[0-9a-f]{8}$"),
    ),
    (&["bytes32"], pattern("^0x[0-9a-f]{64}$")),
    (
        &["hexcolorcode", "hexcolor", "color", "colour"],
        examples(&["#1e90ff", "#ffffff"]),
    ),
    (&["rgb"], examples(&["rgb(30, 144, 255)"])),
    (&["rgba"], examples(&["rgba(30, 144, 255, 0.5)"])),
    (&["hsl"], examples(&["hsl(210, 100%, 56%)"])),
    (&["hsla"], examples(&["hsla(210, 100%, 56%, 0.5)"])),
    (
        &["currency", "currencycode"],
        examples(&["EUR", "USD", "JPY"]),
    ),
    (&["countrycode", "country"], examples(&["DE", "US", "JP"])),
    (&["countryname"], examples(&["Germany", "Japan"])),
    (
        &["locale", "localecode", "languagetag"],
        examples(&["en-US", "de-DE", "ja-JP"]),
    ),
    (&["language", "languagecode"], examples(&["en", "de", "ja"])),
    (&["postalcode", "zipcode"], examples(&["10115", "94105"])),
    (&["isbn", "isbn13"], examples(&["9780306406157"])),
    (&["isbn10"], examples(&["0306406152"])),
    (
        &["iban"],
        examples(&["DE89370400440532013000", "GB82WEST12345698765432"]),
    ),
    (&["bic", "swift"], examples(&["DEUTDEFF"])),
    (
        &["ssn", "sesssn"],
        pattern("^[1-7][0-9]{2}-[1-9][0-9]-[1-9][0-9]{3}$"),
    ),
    (&["routingnumber"], examples(&["111000025"])),
    (&["accountnumber"], pattern("^[0-9]{8,12}$")),
    (&["deweydecimal"], examples(&["435.4357"])),
    (&["lccsubclass"], examples(&["QA", "PS"])),
    (&["ipcpatent"], examples(&["G06F 12/803"])),
    (&["char", "character"], pattern("^[a-z]$")),
    (
        &["nonemptystring", "nonemptytext", "trimmedstring"],
        pattern("^[A-Za-z][a-z ]{1,20}[a-z]$"),
    ),
    (
        &[
            "text",
            "citext",
            "varchar",
            "html",
            "htmlstring",
            "xhtml",
            "markdown",
            "richtext",
            "password",
            "name",
            "title",
            "description",
            "regex",
            "xml",
            "fieldset",
            "federationfieldset",
            "linkimport",
            "gitsshremote",
            "x509certificate",
            "bpchar",
            "tsvector",
            "ltree",
        ],
        known(Text, Sent::Text),
    ),
];

/// Last words of a name that say enough, and the row that they mean; longer ones first.
pub(super) const TAILS: &[(&[&str], &str)] = &[
    (&["date", "time"], "datetime"),
    (&["datetime"], "datetime"),
    (&["timestamp"], "timestamp"),
    (&["date"], "date"),
    (&["uuid"], "uuid"),
    (&["guid"], "uuid"),
    (&["url"], "url"),
    (&["uri"], "uri"),
    (&["email"], "email"),
    (&["json"], "json"),
    (&["id"], "id"),
];
