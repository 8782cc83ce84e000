import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/** Whether two jar files hold the same. How they are packed does not matter. */
public final class Same {
  private Same() {}

  public static void main(String[] jars) throws IOException {
    TreeMap<String, byte[]> built = entries(jars[0]);
    TreeMap<String, byte[]> kept = entries(jars[1]);
    boolean isSame = built.keySet().equals(kept.keySet());
    for (String name : built.keySet()) {
      isSame &= Arrays.equals(built.get(name), kept.get(name));
    }
    if (!isSame) {
      System.err.println(jars[1] + " is not what the sources give: put " + jars[0] + " in its place");
      System.exit(1);
    }
  }

  private static TreeMap<String, byte[]> entries(String name) throws IOException {
    TreeMap<String, byte[]> entries = new TreeMap<>();
    try (JarFile jar = new JarFile(name)) {
      for (JarEntry entry : jar.stream().filter(one -> !one.isDirectory()).toList()) {
        try (InputStream in = jar.getInputStream(entry)) {
          entries.put(entry.getName(), in.readAllBytes());
        }
      }
    }
    return entries;
  }
}
