package fossick.probe;

import java.util.HashMap;
import java.util.Map;
import org.objectweb.asm.tree.ClassNode;

/** The targets of a class by their lines, numbered so that no two share a name. */
final class Lines {
  private final String file;
  private final SourceMap map;

  /** Several classes of one file may have something on the same line: each counts from its own. */
  private final int base;

  private final Map<Long, Integer> counts = new HashMap<>();

  Lines(ClassNode type, String file) {
    this.file = file;
    this.map = SourceMap.of(type.sourceDebug, type.name);
    int inner = type.name.indexOf('$', type.name.lastIndexOf('/') + 1);
    base = inner < 0 ? 0 : (Failures.crc(type.name.substring(inner)) & 0xFFFFF) << 10;
  }

  /** The line in the source, or 0 for one of another file. */
  int of(int written) {
    return map == null ? written : map.line(written);
  }

  int line(int line, String label) {
    return Recorder.register(new Recorder.Target(file, line, Recorder.LINE, 0, label));
  }

  /** Pairs of a true and a false side; gives the first. */
  int branches(int line, int count, String label) {
    Recorder.Target[] group = new Recorder.Target[2 * count];
    for (int at = 0; at < count; at++) {
      int ordinal = next(line, Recorder.TRUE);
      group[2 * at] = new Recorder.Target(file, line, Recorder.TRUE, ordinal, label);
      group[2 * at + 1] = new Recorder.Target(file, line, Recorder.FALSE, ordinal, label);
    }
    return Recorder.register(group);
  }

  /** A method that compares: where it says yes, and where it says no. */
  int comparison(int line, String label) {
    Recorder.Target[] group = {method(line, label), method(line, label)};
    return Recorder.register(group);
  }

  /** A method that parses, where it does. */
  int parse(int line, String label) {
    return Recorder.register(method(line, label));
  }

  int call(int line, String label) {
    int ordinal = next(line, Recorder.CALL);
    return Recorder.register(new Recorder.Target(file, line, Recorder.CALL, ordinal, label));
  }

  private Recorder.Target method(int line, String label) {
    int ordinal = next(line, Recorder.METHOD);
    return new Recorder.Target(file, line, Recorder.METHOD, ordinal, label);
  }

  private int next(int line, int kind) {
    return base + counts.merge((long) line << 8 | kind, 1, Integer::sum) - 1;
  }
}
