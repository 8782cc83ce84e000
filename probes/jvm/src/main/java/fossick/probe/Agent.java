package fossick.probe;

import java.lang.instrument.Instrumentation;
import java.util.ArrayList;
import java.util.List;

/** Loaded by the JVM before anything of the user's. Without the variables it does nothing. */
public final class Agent {
  private Agent() {}

  public static void premain(String arguments, Instrumentation instrumentation) {
    String socket = System.getenv("FOSSICK_PROBE");
    String tcp = System.getenv("FOSSICK_PROBE_TCP");
    if (isNothing(socket) && isNothing(tcp) || Main.isTool()) {
      return;
    }
    try {
      Scope scope = new Scope(System.getenv("FOSSICK_COVER"));
      Link.prepare(socket, tcp, scope);
      // Loaded now, so that nothing of them is needed while another class is being loaded.
      Track.current();
      instrumentation.addTransformer(new Transformer(scope), true);
      rewriteLoaded(instrumentation);
    } catch (Throwable e) {
      Log.note("the probe could not begin", e);
    }
  }

  private static boolean isNothing(String word) {
    return word == null || word.isEmpty();
  }

  /** Classes of the JDK that hand work on were there before the probe. */
  private static void rewriteLoaded(Instrumentation instrumentation) {
    List<Class<?>> loaded = new ArrayList<>();
    for (Class<?> one : instrumentation.getAllLoadedClasses()) {
      boolean isHooked = Hooking.isHooked(one.getName().replace('.', '/'));
      if (isHooked && instrumentation.isModifiableClass(one)) {
        loaded.add(one);
      }
    }
    for (Class<?> one : loaded) {
      try {
        instrumentation.retransformClasses(one);
      } catch (Throwable e) {
        Log.note(one.getName() + " could not be rewritten", e);
      }
    }
  }
}
