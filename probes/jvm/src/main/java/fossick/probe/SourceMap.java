package fossick.probe;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Kotlin copies inline functions to where they are called and gives their lines numbers behind the
 * end of the file. A map in the class (JSR 45) says which they are.
 */
final class SourceMap {
  /** Runs of lines: the first as it is written, how many, the first in the source or 0. */
  private final List<int[]> runs = new ArrayList<>();

  private SourceMap() {}

  static SourceMap of(String text, String type) {
    if (text == null || !text.startsWith("SMAP")) {
      return null;
    }
    try {
      return read(text.split("\n"), type);
    } catch (RuntimeException e) {
      return null;
    }
  }

  private static SourceMap read(String[] lines, String type) {
    SourceMap map = new SourceMap();
    Map<Integer, String> paths = new HashMap<>();
    char section = ' ';
    boolean isKotlin = false;
    for (int at = 0; at < lines.length; at++) {
      String line = lines[at].trim();
      if (line.startsWith("*")) {
        section = line.length() > 1 ? line.charAt(1) : ' ';
        if (section == 'S') {
          isKotlin = line.equals("*S Kotlin");
        }
      } else if (isKotlin && section == 'F') {
        boolean hasPath = line.startsWith("+ ");
        int id = Integer.parseInt(line.split(" ")[hasPath ? 1 : 0]);
        String path = hasPath ? lines[++at].trim() : line;
        paths.put(id, path);
      } else if (isKotlin && section == 'L') {
        map.add(line, paths, type);
      }
    }
    return map.runs.isEmpty() ? null : map;
  }

  /** `line#file,count:written`, with the count left out where it is one. */
  private void add(String line, Map<Integer, String> paths, String type) {
    int colon = line.indexOf(':');
    String[] from = line.substring(0, colon).split(",");
    String[] source = from[0].split("#");
    int count = from.length > 1 ? Integer.parseInt(from[1]) : 1;
    String path = source.length > 1 ? paths.get(Integer.parseInt(source[1])) : type;
    boolean isOwn = path != null && outer(path).equals(outer(type));
    int written = Integer.parseInt(line.substring(colon + 1).split(",")[0]);
    runs.add(new int[] {written, count, isOwn ? Integer.parseInt(source[0]) : 0});
  }

  private static String outer(String type) {
    int inner = type.indexOf('$', type.lastIndexOf('/') + 1);
    return inner < 0 ? type : type.substring(0, inner);
  }

  int line(int written) {
    for (int[] run : runs) {
      if (written >= run[0] && written < run[0] + run[1]) {
        return run[2] == 0 ? 0 : run[2] + written - run[0];
      }
    }
    return written;
  }
}
