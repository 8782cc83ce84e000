package com.example.shed;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.function.Predicate;

/** Kinds of JSON values; each integer is a number as well. */
enum Kind {
  NULL(JsonNode::isNull),
  BOOLEAN(JsonNode::isBoolean),
  INTEGER(JsonNode::isIntegralNumber),
  NUMBER(JsonNode::isNumber),
  STRING(JsonNode::isTextual),
  ARRAY(JsonNode::isArray),
  OBJECT(JsonNode::isObject);

  private final Predicate<JsonNode> test;

  Kind(Predicate<JsonNode> test) {
    this.test = test;
  }

  boolean holds(JsonNode value) {
    return test.test(value);
  }
}
