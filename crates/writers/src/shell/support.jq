# What the tests ask jq for, beyond its own words.

def is_integer: type == "number" and . == floor;

# The value at a JSON pointer; null where there is none.
def pointer($pointer):
  reduce ($pointer | split("/")[1:][] | gsub("~1"; "/") | gsub("~0"; "~")) as $key (.;
    if type == "array" then .[$key | tonumber] else .[$key] end);

# The item of a list that carries a value below these names; nothing where there is none.
def item($names; $value): first(arrays | .[] | select((try getpath($names) catch null) == $value));

def has_item($names; $value): [item($names; $value)] != [];

# A header of the last block of headers that curl wrote.
def header($name):
  [split("\r\n\r\n")[] | select(length > 0)] | last // ""
  | [split("\r\n")[1:][] | capture("^(?<name>[^:]+):[ \t]*(?<value>.*?)[ \t]*$")]
  | map(select((.name | ascii_downcase) == ($name | ascii_downcase)))
  | first.value;

def media_type: split(";")[0] // "" | gsub("^[ \t]+|[ \t]+$"; "") | ascii_downcase;

# Text of its bytes.
def utf8:
  reduce .[] as $byte ({text: [], more: 0, code: 0};
    if $byte < 128 then .text += [$byte]
    elif $byte < 192 then
      .code = .code * 64 + $byte - 128 | .more -= 1
      | if .more == 0 then .text += [.code] else . end
    elif $byte < 224 then .code = $byte - 192 | .more = 1
    elif $byte < 240 then .code = $byte - 224 | .more = 2
    else .code = $byte - 240 | .more = 3 end)
  | .text | implode;

def hex: explode | map(if . >= 97 then . - 87 elif . >= 65 then . - 55 else . - 48 end) | .[0] * 16 + .[1];

def percent_decoded: gsub("(?<run>(%[0-9A-Fa-f]{2})+)"; .run | split("%")[1:] | map(hex) | utf8);

# The last segment of a path.
def tail:
  . // "" | sub("[?#].*$"; "") | sub("/+$"; "") | split("/") | last // ""
  | percent_decoded | if . == "" then null else . end;

def kind:
  if . >= 97 and . <= 122 then [97, 26]
  elif . >= 65 and . <= 90 then [65, 26]
  elif . >= 48 and . <= 57 then [48, 10]
  else null end;

# The text with its last five letters and digits thrown anew.
def fresh($dice):
  explode
  | [to_entries[] | select(.value | kind) | .key][-5:] as $places
  | reduce range($places | length) as $n (.;
      .[$places[$n]] |= (kind as [$first, $size] | $first + $dice[$n] % $size))
  | implode;

# JSON Schema, as far as answers need it: formats and what is not known here are not looked at.

def is_of_type($name):
  if $name == "integer" then is_integer else type == $name end;

def below($key): . + "/" + ($key | tostring);

def misfits_of($schema; $root; $at):
  def each($inner; $place): misfits_of($inner; $root; $place);
  def fits($inner): [each($inner; "")] == [];
  def wrong($what): "\($at): \($what)";
  . as $value
  | if $schema == true then empty
    elif $schema == false then wrong("nothing may be here")
    elif ($schema | type) != "object" then empty
    else
      ($schema["$ref"] | strings | select(startswith("#")) | ltrimstr("#") | percent_decoded) as $to
      | each($root | pointer($to); $at)
    end,
    if ($schema | type) != "object" then empty
    else
      ($schema.type | select(. != null) | [.] | flatten) as $types
      | select(any($types[]; . as $name | $value | is_of_type($name)) | not)
      | wrong("is no \($types | join(" or "))")
    end,
    if ($schema | type) != "object" then empty
    else
      ($schema.enum | arrays | select(any(.[]; . == $value) | not) | wrong("is none of \(.)")),
      ($schema | select(has("const") and .const != $value) | wrong("is not \(.const)")),
      ($schema.allOf | arrays | .[] as $inner | $value | each($inner; $at)),
      ($schema.anyOf | arrays | select(any(.[]; . as $inner | $value | fits($inner)) | not)
        | wrong("fits none of anyOf")),
      ($schema.oneOf | arrays | map(. as $inner | select($value | fits($inner)))
        | select(length != 1) | wrong("fits \(length) of oneOf")),
      ($schema.not | select(. != null) | . as $inner | select($value | fits($inner))
        | wrong("fits what it must not"))
    end,
    if ($schema | type) != "object" then empty
    elif ($value | type) == "number" then
      ($schema.minimum | numbers | select($value < .) | wrong("is less than \(.)")),
      ($schema.maximum | numbers | select($value > .) | wrong("is more than \(.)")),
      ($schema.exclusiveMinimum | numbers | select($value <= .) | wrong("is not more than \(.)")),
      ($schema.exclusiveMaximum | numbers | select($value >= .) | wrong("is not less than \(.)"))
    elif ($value | type) == "string" then
      ($schema.minLength | numbers | select(($value | length) < .) | wrong("is shorter than \(.)")),
      ($schema.maxLength | numbers | select(($value | length) > .) | wrong("is longer than \(.)")),
      ($schema.pattern | strings | . as $pattern
        | select((try ($value | test($pattern)) catch true) | not)
        | wrong("does not match \($pattern)"))
    elif ($value | type) == "array" then
      ($schema.minItems | numbers | select(($value | length) < .) | wrong("has less than \(.) items")),
      ($schema.maxItems | numbers | select(($value | length) > .) | wrong("has more than \(.) items")),
      (select($schema.uniqueItems == true and ($value | unique | length) != ($value | length))
        | wrong("has an item twice")),
      ($schema.prefixItems // [] | arrays) as $prefix
      | ($value | to_entries[]) as $item
      | ($prefix[$item.key] // $schema.items) as $inner
      | select($inner != null)
      | $item.value | each($inner; $at | below($item.key))
    elif ($value | type) == "object" then
      ($schema.required | arrays | .[] | strings | . as $name | select($value | has($name) | not)
        | wrong("has no \($name)")),
      ($schema.minProperties | numbers | select(($value | length) < .) | wrong("has less than \(.) members")),
      ($schema.maxProperties | numbers | select(($value | length) > .) | wrong("has more than \(.) members")),
      ($value | to_entries[]) as $member
      | [($schema.properties | objects | select(has($member.key)) | .[$member.key]),
         ($schema.patternProperties | objects | to_entries[]
           | select(.key as $pattern | try ($member.key | test($pattern)) catch false) | .value)] as $own
      | (if $own == [] then [$schema.additionalProperties | select(. != null)] else $own end)[] as $inner
      | $member.value | each($inner; $at | below($member.key))
    else empty end;

def misfits($schema): misfits_of($schema; $schema; "");
