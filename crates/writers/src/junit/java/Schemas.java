package PACKAGE;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import org.hamcrest.Matcher;

/** The JSON Schemas that answers are held against, among the resources. */
final class Schemas {
  private static final SchemaRegistry REGISTRY =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

  private Schemas() {}

  /** A JSON body that fits the schema in the file. */
  static Matcher<String> conformsTo(String file) {
    Schema schema = REGISTRY.getSchema(load(file));
    return new Answers.Expectation<>(
        "a body that fits " + file,
        body -> faults(schema, body).isEmpty(),
        body -> String.join("; ", faults(schema, body)));
  }

  private static List<String> faults(Schema schema, String body) {
    JsonNode value = Answers.read(body);
    if (value.isMissingNode()) {
      return List.of("no JSON");
    }
    return schema.validate(value).stream().map(Error::toString).toList();
  }

  private static JsonNode load(String file) {
    try (InputStream stream = Schemas.class.getResourceAsStream("schemas/" + file)) {
      return Values.JSON.readTree(stream);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
