package com.example.shed

import com.fasterxml.jackson.databind.JsonNode

/** Kinds of JSON values; each integer is a number as well. */
internal enum class Kind(
    val holds: (JsonNode) -> Boolean,
) {
    NULL({ it.isNull }),
    BOOLEAN({ it.isBoolean }),
    INTEGER({ it.isIntegralNumber }),
    NUMBER({ it.isNumber }),
    STRING({ it.isTextual }),
    ARRAY({ it.isArray }),
    OBJECT({ it.isObject }),
}
