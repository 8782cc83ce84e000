package fossick.probe;

import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Opcodes;

/** Sees every class that is loaded, and rewrites the few that matter. */
final class Transformer implements ClassFileTransformer {
  private final Scope scope;

  /** A class that is needed to rewrite another must not be rewritten meanwhile. */
  private final ThreadLocal<Boolean> isBusy = new ThreadLocal<>();

  Transformer(Scope scope) {
    this.scope = scope;
  }

  @Override
  public byte[] transform(
      ClassLoader loader, String name, Class<?> known, ProtectionDomain domain, byte[] bytes) {
    if (name == null || name.startsWith("fossick/probe/") || isBusy.get() != null) {
      return null;
    }
    isBusy.set(Boolean.TRUE);
    try {
      if (Hooking.isHooked(name)) {
        return Hooking.rewritten(name, bytes);
      }
      boolean isOwn = known == null && loader != null && scope.owns(name, domain);
      return isOwn ? own(name, domain, bytes) : null;
    } catch (Throwable e) {
      Log.note(name + " is left as it is", e);
      return null;
    } finally {
      isBusy.remove();
    }
  }

  private byte[] own(String name, ProtectionDomain domain, byte[] bytes) {
    if (!isReadable(bytes)) {
      return null;
    }
    String source = source(bytes);
    if (source == null || isGenerated(name)) {
      return null;
    }
    scope.sources.addAbove(scope.origin(domain));
    String file = name.substring(0, name.lastIndexOf('/') + 1) + source;
    byte[] rewritten = Rewriter.rewritten(bytes, file);
    Failures.FILES.put(name.replace('/', '.'), file);
    if (rewritten != null) {
      Link.connect();
    }
    return rewritten;
  }

  /** The tool is told of classes that are newer than what is known here. */
  private static boolean isReadable(byte[] bytes) {
    int version = (bytes[6] & 0xFF) << 8 | bytes[7] & 0xFF;
    if (version <= Opcodes.V26) {
      return true;
    }
    Link.refuse("the probe knows class files up to Java 26; this service has some of Java " + (version - 44));
    return false;
  }

  private static boolean isGenerated(String name) {
    return name.contains("$$") || name.contains("$Proxy") || name.contains("$HibernateProxy");
  }

  private static String source(byte[] bytes) {
    String[] found = new String[1];
    ClassVisitor visitor =
        new ClassVisitor(Opcodes.ASM9) {
          @Override
          public void visitSource(String source, String debug) {
            found[0] = source;
          }
        };
    int skipped = ClassReader.SKIP_CODE | ClassReader.SKIP_FRAMES;
    new ClassReader(bytes).accept(visitor, skipped);
    return found[0];
  }
}
