package fossick.probe;

import java.util.HashSet;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodTooLargeException;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Puts probes into a class of the user's own.
 *
 * <p>Nothing that is put in branches, and all of it keeps the frames that the compiler wrote: no
 * frame is computed, so no class is looked up while another is loaded.
 */
final class Rewriter {
  /** Classes before this have no frames and may have subroutines. */
  private static final int OLDEST = Opcodes.V1_6;

  private Rewriter() {}

  /** The class with probes in it; null where there is nothing to put in. */
  static byte[] rewritten(byte[] original, String file) {
    ClassReader reader = new ClassReader(original);
    Set<String> left = new HashSet<>();
    while (true) {
      ClassNode type = new ClassNode();
      reader.accept(type, ClassReader.EXPAND_FRAMES);
      if ((type.version & 0xFFFF) < OLDEST) {
        return null;
      }
      if (!rewrite(type, file, left)) {
        return null;
      }
      try {
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        type.accept(writer);
        return writer.toByteArray();
      } catch (MethodTooLargeException e) {
        Log.note(e.getClassName() + "." + e.getMethodName() + " is too long for probes", null);
        if (!left.add(e.getMethodName() + e.getDescriptor())) {
          return null;
        }
      }
    }
  }

  private static boolean rewrite(ClassNode type, String file, Set<String> left) {
    Lines lines = new Lines(type, file);
    boolean changed = false;
    for (MethodNode method : type.methods) {
      if (method.instructions.size() == 0 || left.contains(method.name + method.desc)) {
        continue;
      }
      if (isWritten(type, method)) {
        changed |= new MethodRewriter(type, method, lines).rewrite();
      }
    }
    return changed;
  }

  /** The constructor of a class that nobody is to make an object of. */
  private static boolean isEmptyAndHidden(MethodNode method) {
    int count = 0;
    for (AbstractInsnNode one : method.instructions) {
      count += one.getOpcode() >= 0 ? 1 : 0;
    }
    boolean isHidden = (method.access & Opcodes.ACC_PRIVATE) != 0 && method.desc.equals("()V");
    return isHidden && count <= 3;
  }

  /** Whether somebody wrote a method, rather than the compiler. */
  private static boolean isWritten(ClassNode type, MethodNode method) {
    if ((method.access & Opcodes.ACC_BRIDGE) != 0) {
      return false;
    }
    boolean isSynthetic = (method.access & Opcodes.ACC_SYNTHETIC) != 0;
    if (isSynthetic && !method.name.startsWith("lambda$") && !method.name.contains("$lambda")) {
      return method.name.equals("invokeSuspend");
    }
    if (method.name.equals("<init>") && isEmptyAndHidden(method)) {
      return false;
    }
    boolean isEnum = "java/lang/Enum".equals(type.superName);
    return !(isEnum && method.name.equals("values") && method.desc.startsWith("()["));
  }
}
