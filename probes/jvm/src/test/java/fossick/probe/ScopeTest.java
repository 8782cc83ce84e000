package fossick.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.security.cert.Certificate;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which classes are the user's own, and where their sources are. */
class ScopeTest {
  @TempDir Path folder;

  private static ProtectionDomain at(String location) throws Exception {
    // An address of Spring Boot's is known to its own loader only.
    URL url = new URL(null, location, new Opaque());
    return new ProtectionDomain(new CodeSource(url, (Certificate[]) null), null);
  }

  private static final class Opaque extends java.net.URLStreamHandler {
    @Override
    protected java.net.URLConnection openConnection(URL url) {
      throw new UnsupportedOperationException();
    }

    @Override
    protected void parseURL(URL url, String text, int from, int to) {
      String rest = text.substring(text.indexOf(':') + 1);
      setURL(url, url.getProtocol(), "", -1, null, null, rest, null, null);
    }

    @Override
    protected String toExternalForm(URL url) {
      return url.getProtocol() + ":" + url.getPath();
    }
  }

  private Path made(String name) throws Exception {
    Path made = folder.toRealPath().resolve(name);
    Files.createDirectories(made);
    return made;
  }

  @Test
  void classFilesBelowAFolderAreOwnAndThoseOfTestsAreNot() throws Exception {
    Path main = made("target/classes");
    Path tests = made("target/test-classes");
    Path elsewhere = Files.createTempDirectory("elsewhere").toRealPath();
    Scope scope = new Scope(folder.toRealPath().toString());
    assertTrue(scope.owns("shop/App", at("file:" + main + "/")));
    assertFalse(scope.owns("shop/AppTest", at("file:" + tests + "/")));
    assertFalse(scope.owns("shop/App", at("file:" + elsewhere + "/")));
    assertFalse(scope.owns("shop/App", null));
    // Unless they are named themselves.
    assertTrue(new Scope(tests.toString()).owns("shop/AppTest", at("file:" + tests + "/")));
  }

  @Test
  void otherJarsAreNobodysOwn() throws Exception {
    Path jar = Files.createFile(made("lib").resolve("other.jar"));
    Scope scope = new Scope(folder.toRealPath().toString());
    for (String location :
        List.of(
            "file:" + jar,
            "jar:file:" + jar + "!/",
            "jar:nested:" + jar + "/!BOOT-INF/lib/a.jar!/",
            "jar:nested:" + jar + "/!BOOT-INF/classes/!/")) {
      assertFalse(scope.owns("shop/App", at(location)), location);
    }
    assertTrue(new Scope(jar.toString()).owns("shop/App", at("file:" + jar)));
  }

  @Test
  void aPackageIsOwnWhereverItIs() throws Exception {
    Scope scope = new Scope("shop.orders");
    assertTrue(scope.owns("shop/orders/Order", null));
    assertTrue(scope.owns("shop/orders/inner/Order$1", at("file:/nowhere/lib.jar")));
    assertFalse(scope.owns("shop/ordersx/Order", null));
    assertFalse(scope.owns("shop/App", null));
  }

  @Test
  void aSourceThatIsNamedIsOwn() throws Exception {
    Path source = Files.createFile(made("src").resolve("App.java"));
    Path classes = made("out");
    Scope scope = new Scope(source.toString());
    assertTrue(scope.owns("App", at("file:" + classes + "/")));
    assertTrue(scope.owns("App$Inner", at("file:" + classes + "/")));
    assertFalse(scope.owns("Other", at("file:" + classes + "/")));
  }

  @Test
  void aFolderOfSourcesMayBeNamed() throws Exception {
    Path java = made("shop/src/main/java/shop");
    Files.createFile(java.resolve("Order.java"));
    Path classes = made("shop/target/classes");
    for (String named : List.of("shop/src", "shop/src/main/java")) {
      Scope scope = new Scope(folder.toRealPath().resolve(named).toString());
      assertTrue(scope.owns("shop/Order$1", at("file:" + classes + "/")), named);
      assertFalse(scope.owns("shop/Other", at("file:" + classes + "/")), named);
    }
  }

  @Test
  void sourcesAreFoundBelowAndAbove() throws Exception {
    Path java = made("shop/src/main/java");
    Path kotlin = made("shop/src/main/kotlin");
    Path classes = made("shop/target/classes");
    Scope below = new Scope(folder.toRealPath().toString());
    assertTrue(below.sources.roots().containsAll(List.of(java.toString(), kotlin.toString())));
    Scope named = new Scope("shop");
    assertEquals(List.of(), named.sources.roots());
    named.sources.addAbove(classes.toFile());
    assertTrue(named.sources.roots().contains(java.toString()));
  }
}
