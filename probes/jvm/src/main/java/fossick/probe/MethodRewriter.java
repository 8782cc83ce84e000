package fossick.probe;

import static org.objectweb.asm.Opcodes.*;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.LocalVariableNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Puts probes into one method. What its thread works on is kept in a variable of its own.
 */
final class MethodRewriter {
  private static final String PROBE = "fossick/probe/Probe";
  private static final String WATCH = "fossick/probe/Watch";
  private static final String TRACK = "Lfossick/probe/Track;";
  private static final String TRACK_NAME = "fossick/probe/Track";
  private static final String ANY = "Ljava/lang/Object;";

  private final ClassNode type;
  private final MethodNode method;
  private final Lines lines;
  private final InsnList code;

  /** Where the variable is. */
  private final int slot;

  private final boolean hasFrames;

  /** Instructions that belong to something that was told already. */
  private final Set<AbstractInsnNode> done = new HashSet<>();

  /** What was there before any probe. */
  private final Set<AbstractInsnNode> original = new HashSet<>();

  private int line;

  MethodRewriter(ClassNode type, MethodNode method, Lines lines) {
    this.type = type;
    this.method = method;
    this.lines = lines;
    this.code = method.instructions;
    this.slot = method.maxLocals;
    this.hasFrames = (type.version & 0xFFFF) >= V1_7;
  }

  /** False where the method is left as it is. */
  boolean rewrite() {
    if (!hasLines()) {
      return false;
    }
    addVariable();
    AbstractInsnNode[] before = code.toArray();
    original.addAll(Arrays.asList(before));
    markStartOfCoroutine(before);
    Map<LabelNode, AbstractInsnNode> unfinished = unfinished();
    AbstractInsnNode beginning = isConstructor() ? null : code.getFirst();
    for (AbstractInsnNode one : before) {
      if (one instanceof LineNumberNode) {
        enterLine((LineNumberNode) one);
      } else if (line > 0 && one.getOpcode() >= 0 && !done.contains(one)) {
        rewrite(one);
      }
    }
    InsnList first = new InsnList();
    first.add(call(PROBE, "track", "()" + TRACK));
    first.add(new VarInsnNode(ASTORE, slot));
    LabelNode start = new LabelNode();
    if (beginning != null) {
      first.add(start);
    }
    code.insert(first);
    catchAll(beginning != null ? start : afterSuper());
    moveLabels(unfinished);
    return true;
  }

  /** Frames name an object that has no constructor behind it yet by where it was made. */
  private Map<LabelNode, AbstractInsnNode> unfinished() {
    Map<LabelNode, AbstractInsnNode> makers = new HashMap<>();
    for (AbstractInsnNode one : code) {
      if (one instanceof FrameNode) {
        for (List<Object> values : parts((FrameNode) one)) {
          for (Object value : values) {
            if (value instanceof LabelNode) {
              makers.put((LabelNode) value, next((LabelNode) value));
            }
          }
        }
      }
    }
    return makers;
  }

  private static List<List<Object>> parts(FrameNode frame) {
    List<List<Object>> parts = new ArrayList<>();
    parts.add(frame.local);
    parts.add(frame.stack);
    return parts;
  }

  /** By now there may be probes between such a place and the label that was in front of it. */
  private void moveLabels(Map<LabelNode, AbstractInsnNode> unfinished) {
    if (unfinished.isEmpty()) {
      return;
    }
    Map<Object, LabelNode> moved = new HashMap<>();
    for (Map.Entry<LabelNode, AbstractInsnNode> one : unfinished.entrySet()) {
      LabelNode label = new LabelNode();
      code.insertBefore(one.getValue(), label);
      moved.put(one.getKey(), label);
    }
    for (AbstractInsnNode one : code) {
      if (one instanceof FrameNode) {
        for (List<Object> values : parts((FrameNode) one)) {
          values.replaceAll(value -> value instanceof LabelNode ? moved.get(value) : value);
        }
      }
    }
  }

  private boolean hasLines() {
    boolean found = false;
    for (AbstractInsnNode one : code) {
      found |= one instanceof LineNumberNode;
      if (one.getOpcode() == JSR || one.getOpcode() == RET) {
        return false;
      }
    }
    return found;
  }

  private boolean isConstructor() {
    return method.name.equals("<init>");
  }

  // Variables.

  /** Behind all others: where a message names a variable by its number, it stays the same. */
  private void addVariable() {
    method.maxLocals++;
    for (AbstractInsnNode one : code) {
      if (one instanceof FrameNode) {
        addVariable((FrameNode) one);
      }
    }
  }

  private void addVariable(FrameNode frame) {
    List<Object> locals = new ArrayList<>(frame.local);
    int size = 0;
    for (Object local : locals) {
      size += LONG.equals(local) || DOUBLE.equals(local) ? 2 : 1;
    }
    for (; size < slot; size++) {
      locals.add(TOP);
    }
    locals.add(TRACK_NAME);
    frame.local = locals;
    frame.stack = new ArrayList<>(frame.stack);
  }

  // Lines.

  private void enterLine(LineNumberNode number) {
    line = lines.of(number.line);
    AbstractInsnNode first = number;
    while (first != null && first.getOpcode() < 0) {
      first = first.getNext();
      if (first instanceof LineNumberNode) {
        return;
      }
    }
    if (line == 0 || first == null) {
      return;
    }
    int id = lines.line(line, method.name);
    if (id >= 0) {
      code.insertBefore(first, told("line", "", id));
    }
  }

  // Instructions.

  private void rewrite(AbstractInsnNode one) {
    if (one instanceof JumpInsnNode) {
      jump((JumpInsnNode) one);
    } else if (one instanceof MethodInsnNode) {
      invocation((MethodInsnNode) one);
    } else if (one instanceof LookupSwitchInsnNode) {
      LookupSwitchInsnNode cases = (LookupSwitchInsnNode) one;
      int[] keys = cases.keys.stream().mapToInt(Integer::intValue).toArray();
      cases(one, keys, cases.labels, cases.dflt);
    } else if (one instanceof TableSwitchInsnNode) {
      TableSwitchInsnNode cases = (TableSwitchInsnNode) one;
      int[] keys = new int[cases.labels.size()];
      for (int at = 0; at < keys.length; at++) {
        keys[at] = cases.min + at;
      }
      cases(one, keys, cases.labels, cases.dflt);
    }
  }

  private void jump(JumpInsnNode jump) {
    int opcode = jump.getOpcode();
    if (opcode == GOTO || opcode == JSR || isOfTheCompiler(jump)) {
      return;
    }
    AbstractInsnNode before = before(jump);
    int id = lines.branches(line, 1, label(opcode));
    if (id < 0) {
      return;
    }
    if (opcode >= IF_ICMPEQ && opcode <= IF_ICMPLE) {
      code.insertBefore(jump, told(DUP2, "ints", "II", id, opcode - IF_ICMPEQ + IFEQ));
    } else if (opcode == IF_ACMPEQ || opcode == IF_ACMPNE) {
      int as = opcode == IF_ACMPEQ ? IFEQ : IFNE;
      code.insertBefore(jump, told(DUP2, "same", ANY + ANY, id, as));
    } else if (opcode == IFNULL || opcode == IFNONNULL) {
      int as = opcode == IFNULL ? IFEQ : IFNE;
      code.insertBefore(jump, told(DUP, "nothing", ANY, id, as));
    } else if (before != null && isComparison(before.getOpcode())) {
      compare(before, id, opcode);
    } else {
      String how = isTruth(before) ? "truth" : "zero";
      code.insertBefore(jump, told(DUP, how, "I", id, opcode));
    }
  }

  private static boolean isComparison(int opcode) {
    return opcode >= LCMP && opcode <= DCMPG;
  }

  /** A comparison of wide numbers is made by the probe: the JVM can't copy two of them. */
  private void compare(AbstractInsnNode comparison, int id, int jump) {
    InsnList list = new InsnList();
    int opcode = comparison.getOpcode();
    String types = "JJ";
    String name = "longs";
    if (opcode != LCMP) {
      list.add(number(opcode == FCMPG || opcode == DCMPG ? 1 : -1));
      boolean isDouble = opcode == DCMPL || opcode == DCMPG;
      types = isDouble ? "DDI" : "FFI";
      name = isDouble ? "doubles" : "floats";
    }
    list.add(new VarInsnNode(ALOAD, slot));
    list.add(number(id));
    list.add(number(jump));
    list.add(call(PROBE, name, "(" + types + TRACK + "II)I"));
    code.insertBefore(comparison, list);
    code.remove(comparison);
  }

  /** Whether a call was suspended is nobody's branch. */
  private boolean isOfTheCompiler(JumpInsnNode jump) {
    int opcode = jump.getOpcode();
    return isCoroutine() && (opcode == IF_ACMPNE || opcode == IF_ACMPEQ);
  }

  private boolean isCoroutine() {
    return method.name.equals("invokeSuspend")
        || method.desc.contains("Lkotlin/coroutines/Continuation;");
  }

  /** Before a coroutine goes on where it was, the compiler has looked for its state. */
  private void markStartOfCoroutine(AbstractInsnNode[] all) {
    if (!isCoroutine()) {
      return;
    }
    for (int at = 0; at < all.length; at++) {
      if (all[at] instanceof TableSwitchInsnNode && isStateOfCoroutine(before(all[at]))) {
        done.addAll(Arrays.asList(all).subList(0, at + 1));
        return;
      }
    }
  }

  /** Whether a number is the truth of something. */
  private boolean isTruth(AbstractInsnNode made) {
    if (made instanceof MethodInsnNode) {
      return ((MethodInsnNode) made).desc.endsWith(")Z");
    }
    if (made instanceof FieldInsnNode) {
      return ((FieldInsnNode) made).desc.equals("Z");
    }
    if (made instanceof VarInsnNode && made.getOpcode() == ILOAD) {
      return isTruth((VarInsnNode) made);
    }
    return made == null || made.getOpcode() == INSTANCEOF || made.getOpcode() == BALOAD;
  }

  private boolean isTruth(VarInsnNode load) {
    if (method.localVariables == null) {
      return false;
    }
    for (LocalVariableNode variable : method.localVariables) {
      if (variable.index == load.var && variable.desc.equals("Z")) {
        int at = code.indexOf(load);
        if (at >= code.indexOf(variable.start) && at < code.indexOf(variable.end)) {
          return true;
        }
      }
    }
    return false;
  }

  private static String label(int opcode) {
    switch (opcode) {
      case IF_ICMPEQ:
      case IF_ACMPEQ:
      case IFEQ:
        return "!=";
      case IF_ICMPNE:
      case IF_ACMPNE:
      case IFNE:
        return "==";
      case IF_ICMPLT:
      case IFLT:
        return ">=";
      case IF_ICMPGE:
      case IFGE:
        return "<";
      case IF_ICMPGT:
      case IFGT:
        return "<=";
      case IF_ICMPLE:
      case IFLE:
        return ">";
      case IFNULL:
        return "!= null";
      default:
        return "== null";
    }
  }

  // Switches.

  private void cases(AbstractInsnNode one, int[] keys, List<LabelNode> labels, LabelNode other) {
    AbstractInsnNode before = before(one);
    if (isHashCode(before)) {
      texts((MethodInsnNode) before, labels, other);
      return;
    }
    if (isStateOfCoroutine(before)) {
      return;
    }
    int[] wanted = wanted(keys, labels, other);
    if (wanted.length == 0) {
      return;
    }
    int id = lines.branches(line, wanted.length, "case");
    if (id < 0) {
      return;
    }
    // A number that is computed or loaded is compared; what stands for something else is not.
    boolean isNumber = !isIndirect(before);
    InsnList list = new InsnList();
    list.add(new InsnNode(DUP));
    list.add(new VarInsnNode(ALOAD, slot));
    list.add(number(id));
    list.add(number(Sites.add(wanted)));
    list.add(call(PROBE, isNumber ? "cases" : "mutely", "(I" + TRACK + "II)V"));
    code.insertBefore(one, list);
    if (before != null && before.getOpcode() == IALOAD && isOrdinal(before(before))) {
      InsnList told = new InsnList();
      told.add(new InsnNode(DUP));
      told.add(new VarInsnNode(ALOAD, slot));
      told.add(number(id));
      told.add(call(PROBE, "constant", "(" + ANY + TRACK + "I)V"));
      code.insertBefore(before(before), told);
    }
  }

  /** The keys that lead elsewhere than all that have none. */
  private static int[] wanted(int[] keys, List<LabelNode> labels, LabelNode other) {
    List<Integer> wanted = new ArrayList<>();
    for (int at = 0; at < keys.length; at++) {
      if (labels.get(at) != other) {
        wanted.add(keys[at]);
      }
    }
    return wanted.stream().mapToInt(Integer::intValue).toArray();
  }

  private static boolean isHashCode(AbstractInsnNode one) {
    return one instanceof MethodInsnNode
        && ((MethodInsnNode) one).name.equals("hashCode")
        && ((MethodInsnNode) one).desc.equals("()I");
  }

  private static boolean isOrdinal(AbstractInsnNode one) {
    return one instanceof MethodInsnNode
        && ((MethodInsnNode) one).name.equals("ordinal")
        && ((MethodInsnNode) one).desc.equals("()I");
  }

  private static boolean isIndirect(AbstractInsnNode before) {
    return before == null
        || before.getOpcode() == IALOAD
        || before.getOpcode() == INVOKEDYNAMIC
        || isOrdinal(before);
  }

  private boolean isStateOfCoroutine(AbstractInsnNode before) {
    return isCoroutine()
        && before instanceof FieldInsnNode
        && ((FieldInsnNode) before).name.equals("label");
  }

  /**
   * A switch on a text is compiled to one on its hash code, an `equals` for each case, and often
   * another switch on the number of the case. Only the texts are told.
   */
  private void texts(MethodInsnNode hash, List<LabelNode> labels, LabelNode other) {
    Set<String> keys = new LinkedHashSet<>();
    Set<Integer> numbered = new HashSet<>();
    for (LabelNode label : new LinkedHashSet<>(labels)) {
      if (label != other) {
        readCase(label, keys, numbered);
      }
    }
    markSecondSwitch(hash, numbered);
    if (keys.isEmpty()) {
      return;
    }
    int id = lines.branches(line, keys.size(), "case");
    if (id < 0) {
      return;
    }
    InsnList list = new InsnList();
    list.add(new InsnNode(DUP));
    list.add(new VarInsnNode(ALOAD, slot));
    list.add(number(id));
    list.add(number(Sites.add(keys.toArray(new String[0]))));
    list.add(call(PROBE, "texts", "(" + ANY + TRACK + "II)V"));
    code.insertBefore(hash, list);
  }

  /** What begins at a label: a text is loaded, a constant, `equals`, a jump; and so on. */
  private void readCase(LabelNode label, Set<String> keys, Set<Integer> numbered) {
    AbstractInsnNode at = next(label);
    while (at != null && at.getOpcode() == ALOAD) {
      AbstractInsnNode constant = next(at);
      AbstractInsnNode equals = constant == null ? null : next(constant);
      AbstractInsnNode jump = equals == null ? null : next(equals);
      boolean fits =
          constant instanceof LdcInsnNode
              && ((LdcInsnNode) constant).cst instanceof String
              && equals instanceof MethodInsnNode
              && ((MethodInsnNode) equals).name.equals("equals")
              && jump instanceof JumpInsnNode;
      if (!fits) {
        return;
      }
      keys.add((String) ((LdcInsnNode) constant).cst);
      done.add(equals);
      done.add(jump);
      at = next(jump);
      if (at != null && isSmall(at) && next(at) != null && next(at).getOpcode() == ISTORE) {
        numbered.add(((VarInsnNode) next(at)).var);
        at = next(next(at));
        if (at != null && at.getOpcode() == GOTO) {
          at = next(at);
        }
      } else if (at != null && at.getOpcode() == GOTO) {
        at = next(at);
      }
    }
  }

  private static boolean isSmall(AbstractInsnNode one) {
    int opcode = one.getOpcode();
    return opcode >= ICONST_M1 && opcode <= ICONST_5 || opcode == BIPUSH || opcode == SIPUSH;
  }

  /** The number of the case is looked at right after. */
  private void markSecondSwitch(AbstractInsnNode from, Set<Integer> numbered) {
    for (AbstractInsnNode at = from; at != null; at = at.getNext()) {
      boolean isSwitch = at instanceof TableSwitchInsnNode || at instanceof LookupSwitchInsnNode;
      AbstractInsnNode before = isSwitch ? before(at) : null;
      if (before instanceof VarInsnNode && numbered.contains(((VarInsnNode) before).var)) {
        done.add(at);
        return;
      }
    }
  }

  // Calls.

  private void invocation(MethodInsnNode call) {
    Known known = Known.of(call.owner, call.name, call.desc);
    if (known != null && watch(call, known)) {
      return;
    }
    if (mayFail(call)) {
      int id = lines.call(line, call.name);
      if (id >= 0) {
        code.insertBefore(call, told("entering", "", id));
        code.insert(call, told("returned", "", id));
      }
    }
  }

  /** Calls that hardly ever throw are not worth two probes. */
  private boolean mayFail(MethodInsnNode call) {
    if (call.name.equals("<init>")) {
      return !call.owner.startsWith("java/")
          && !(isConstructor() && (call.owner.equals(type.superName) || call.owner.equals(type.name)));
    }
    return !call.owner.startsWith("java/lang/")
        && !call.owner.startsWith("java/util/")
        && !call.owner.startsWith("kotlin/")
        && !call.name.startsWith("access$");
  }

  private boolean watch(MethodInsnNode call, Known known) {
    AbstractInsnNode place = placeOfOperands(call, known.operands);
    if (place == null) {
      return false;
    }
    switch (Type.getReturnType(call.desc).getSort()) {
      case Type.BOOLEAN:
        return watchDecision(call, known, place);
      case Type.INT:
        if (known.kind.as == null) {
          return watchOrder(call, known, place);
        }
        return watchParsing(call, known, place);
      default:
        return known.kind.as != null
            ? watchParsing(call, known, place)
            : watchLookup(call, known, place);
    }
  }

  private boolean watchDecision(MethodInsnNode call, Known known, AbstractInsnNode place) {
    AbstractInsnNode after = following(call);
    boolean decides =
        after != null && (after.getOpcode() == IFEQ || after.getOpcode() == IFNE);
    int id =
        decides ? lines.branches(line, 1, call.name) : lines.comparison(line, call.name);
    if (id < 0) {
      return false;
    }
    if (decides) {
      done.add(after);
    }
    int jump = decides ? after.getOpcode() : IFEQ;
    code.insertBefore(place, shown(known.operands));
    code.insert(call, result("decided", "Z", id, jump, known.kind));
    return true;
  }

  private boolean watchOrder(MethodInsnNode call, Known known, AbstractInsnNode place) {
    AbstractInsnNode after = following(call);
    boolean decides = after != null && after.getOpcode() >= IFEQ && after.getOpcode() <= IFLE;
    int id = decides ? lines.branches(line, 1, call.name) : -2 - Sites.add(null);
    if (id == -1) {
      return false;
    }
    if (decides) {
      done.add(after);
    }
    int jump = decides ? after.getOpcode() : IFEQ;
    code.insertBefore(place, shown(known.operands));
    code.insert(call, result("ordered", "I", id, jump, known.kind));
    return true;
  }

  private boolean watchParsing(MethodInsnNode call, Known known, AbstractInsnNode place) {
    int id = lines.parse(line, call.name);
    if (id < 0) {
      return false;
    }
    InsnList list = shown(known.operands);
    list.add(new VarInsnNode(ALOAD, slot));
    list.add(number(id));
    list.add(number(known.kind.ordinal()));
    list.add(call(WATCH, "parsing", "(" + TRACK + "II)V"));
    code.insertBefore(place, list);
    InsnList after = new InsnList();
    boolean isObject = Type.getReturnType(call.desc).getSort() >= Type.ARRAY;
    if (isObject) {
      after.add(new InsnNode(DUP));
    }
    after.add(new VarInsnNode(ALOAD, slot));
    after.add(number(id));
    after.add(number(known.kind.ordinal()));
    String name = isObject ? "made" : "worked";
    after.add(call(WATCH, name, "(" + (isObject ? ANY : "") + TRACK + "II)V"));
    code.insert(call, after);
    return true;
  }

  private boolean watchLookup(MethodInsnNode call, Known known, AbstractInsnNode place) {
    int id = -2 - Sites.add(null);
    InsnList list = shown(known.operands);
    Kind kind = known.kind;
    if (kind == Kind.ENUM) {
      list.add(new VarInsnNode(ALOAD, slot));
      list.add(number(id));
      list.add(call(WATCH, "naming", "(" + TRACK + "I)V"));
      code.insertBefore(place, list);
      return true;
    }
    if (kind == Kind.GET && isNamed(call, known.operands)) {
      kind = Kind.GET_NAMED;
    }
    code.insertBefore(place, list);
    InsnList after = new InsnList();
    after.add(new InsnNode(DUP));
    after.add(new VarInsnNode(ALOAD, slot));
    after.add(number(id));
    after.add(number(kind.ordinal()));
    after.add(call(WATCH, "given", "(" + ANY + TRACK + "II)V"));
    code.insert(call, after);
    return true;
  }

  /** Whether a map is asked for a name that stands in the source. */
  private boolean isNamed(MethodInsnNode call, Known.Operands operands) {
    AbstractInsnNode key = before(call);
    if (operands == Known.Operands.TWO_BELOW && key != null) {
      key = before(key);
    }
    return key instanceof LdcInsnNode;
  }

  /** Where the operands are to be copied: before the call, or before constants that the compiler added. */
  private AbstractInsnNode placeOfOperands(MethodInsnNode call, Known.Operands operands) {
    if (operands != Known.Operands.TWO_BELOW_CONSTANTS) {
      return call;
    }
    AbstractInsnNode at = call;
    for (int n = 0; n < 3; n++) {
      at = before(at);
      if (at == null || at.getOpcode() > SIPUSH) {
        return null;
      }
    }
    return at;
  }

  /** Copies operands and shows them. */
  private InsnList shown(Known.Operands operands) {
    InsnList list = new InsnList();
    String types = ANY + ANY;
    String name = "two";
    switch (operands) {
      case ONE:
        list.add(new InsnNode(DUP));
        types = ANY;
        name = "one";
        break;
      case ONE_BELOW:
        list.add(new InsnNode(DUP2));
        list.add(new InsnNode(POP));
        types = ANY;
        name = "one";
        break;
      case TWO_WITH_INT:
        list.add(new InsnNode(DUP2));
        types = ANY + "I";
        break;
      case TWO_INTS:
        list.add(new InsnNode(DUP2));
        types = "II";
        break;
      case TWO_BELOW:
        list.add(new InsnNode(DUP_X2));
        list.add(new InsnNode(POP));
        list.add(new InsnNode(DUP2_X1));
        break;
      default:
        list.add(new InsnNode(DUP2));
        break;
    }
    list.add(new VarInsnNode(ALOAD, slot));
    list.add(call(WATCH, name, "(" + types + TRACK + ")V"));
    return list;
  }

  private InsnList result(String name, String given, int id, int jump, Kind kind) {
    InsnList list = new InsnList();
    list.add(new InsnNode(DUP));
    list.add(new VarInsnNode(ALOAD, slot));
    list.add(number(id));
    list.add(number(jump));
    list.add(number(kind.ordinal()));
    list.add(call(WATCH, name, "(" + given + TRACK + "III)V"));
    return list;
  }

  // Exceptions.

  /** Before it has called another, a constructor cannot catch anything. */
  private LabelNode afterSuper() {
    int fresh = 0;
    for (AbstractInsnNode one : code) {
      if (one.getOpcode() == NEW) {
        fresh++;
      }
      boolean isInit = one instanceof MethodInsnNode && ((MethodInsnNode) one).name.equals("<init>");
      if (isInit && fresh-- == 0) {
        LabelNode after = new LabelNode();
        code.insert(one, after);
        return after;
      }
    }
    return null;
  }

  private void catchAll(LabelNode start) {
    if (start == null || method.name.equals("<clinit>")) {
      return;
    }
    LabelNode end = new LabelNode();
    LabelNode handler = new LabelNode();
    if (next(start) == null) {
      // Nothing is left that could throw.
      return;
    }
    code.add(end);
    code.add(handler);
    code.add(new FrameNode(F_NEW, 0, new Object[0], 1, new Object[] {"java/lang/Throwable"}));
    code.add(new InsnNode(DUP));
    code.add(call(PROBE, "left", "(Ljava/lang/Throwable;)V"));
    code.add(new InsnNode(ATHROW));
    method.tryCatchBlocks.add(new TryCatchBlockNode(start, end, handler, null));
  }

  // Instructions around.

  /** The instruction that runs right after another, if nothing else can lead there. */
  private AbstractInsnNode following(AbstractInsnNode one) {
    AbstractInsnNode at = one.getNext();
    while (at != null && (at.getOpcode() < 0 || isOurs(at))) {
      boolean mayJoin = at instanceof FrameNode || at instanceof LabelNode && !hasFrames;
      if (mayJoin) {
        return null;
      }
      at = at.getNext();
    }
    return at;
  }

  private AbstractInsnNode before(AbstractInsnNode one) {
    AbstractInsnNode at = one.getPrevious();
    while (at != null && (at.getOpcode() < 0 || isOurs(at))) {
      boolean mayJoin = at instanceof FrameNode || at instanceof LabelNode && !hasFrames;
      if (mayJoin) {
        return null;
      }
      at = at.getPrevious();
    }
    return at;
  }

  private boolean isOurs(AbstractInsnNode one) {
    return !original.contains(one);
  }

  private AbstractInsnNode next(AbstractInsnNode one) {
    AbstractInsnNode at = one.getNext();
    while (at != null && (at.getOpcode() < 0 || isOurs(at))) {
      at = at.getNext();
    }
    return at;
  }

  // What is put in.

  private InsnList told(String name, String types, int id) {
    InsnList list = new InsnList();
    list.add(new VarInsnNode(ALOAD, slot));
    list.add(number(id));
    list.add(call(PROBE, name, "(" + types + TRACK + "I)V"));
    return list;
  }

  private InsnList told(int copy, String name, String types, int id, int jump) {
    InsnList list = new InsnList();
    list.add(new InsnNode(copy));
    list.add(new VarInsnNode(ALOAD, slot));
    list.add(number(id));
    list.add(number(jump));
    list.add(call(PROBE, name, "(" + types + TRACK + "II)V"));
    return list;
  }

  private static AbstractInsnNode number(int value) {
    if (value >= -1 && value <= 5) {
      return new InsnNode(ICONST_0 + value);
    }
    if (value >= Byte.MIN_VALUE && value <= Byte.MAX_VALUE) {
      return new IntInsnNode(BIPUSH, value);
    }
    if (value >= Short.MIN_VALUE && value <= Short.MAX_VALUE) {
      return new IntInsnNode(SIPUSH, value);
    }
    return new LdcInsnNode(value);
  }

  private static MethodInsnNode call(String owner, String name, String types) {
    return new MethodInsnNode(INVOKESTATIC, owner, name, types, false);
  }
}
