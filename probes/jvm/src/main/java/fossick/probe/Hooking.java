package fossick.probe;

import static org.objectweb.asm.Opcodes.*;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;

/** Methods of servers and of the JDK where calls begin and where work is handed on. */
final class Hooking {
  private static final String HOOKS = "fossick/probe/Hooks";
  private static final String ANY = "Ljava/lang/Object;";
  private static final Map<String, List<Hook>> ALL = new HashMap<>();

  private Hooking() {}

  /** What is done in which method. */
  private interface Hook {
    /** False where it is another method. */
    boolean applyTo(MethodNode method);
  }

  static boolean isHooked(String type) {
    return ALL.containsKey(type);
  }

  static byte[] rewritten(String name, byte[] bytes) {
    ClassNode type = new ClassNode();
    new ClassReader(bytes).accept(type, ClassReader.EXPAND_FRAMES);
    boolean changed = false;
    for (MethodNode method : type.methods) {
      if (method.instructions.size() > 0) {
        for (Hook hook : ALL.get(name)) {
          changed |= hook.applyTo(method);
        }
      }
    }
    if (!changed) {
      Log.note(name + " is not as expected: calls may not be told apart", null);
      return null;
    }
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    type.accept(writer);
    return writer.toByteArray();
  }

  private static void add(String type, Hook... hooks) {
    ALL.computeIfAbsent(type, name -> new ArrayList<>()).addAll(Arrays.asList(hooks));
  }

  static {
    executors();
    servlets();
    others();
    reads();
  }

  private static void executors() {
    String base = "java/util/concurrent/";
    add(
        base + "ThreadPoolExecutor",
        first("execute", "carry", 1),
        Hooking::runWorker,
        first("runWorker", "rest", -1));
    add(
        base + "FutureTask",
        last("<init>", "carry"),
        around("run", "enterTask", 0),
        around("runAndReset", "enterTask", 0));
    add(base + "ForkJoinTask", last("<init>", "carry"), around("doExec", "enterTask", 0));
    add(base + "ForkJoinPool", first("runWorker", "rest", -1));
    String netty = "io/netty/util/concurrent/";
    add(netty + "SingleThreadEventExecutor", first("execute", "carry", 1));
    add(
        netty + "AbstractEventExecutor",
        around("safeExecute", "enterTask", 0),
        around("runTask", "enterTask", 0));
    add(
        "kotlinx/coroutines/scheduling/CoroutineScheduler",
        first("dispatch", "carry", 1),
        around("runSafely", "enterTask", 1));
  }

  private static void servlets() {
    for (String base : new String[] {"jakarta", "javax"}) {
      String types = "(L" + base + "/servlet/ServletRequest;L" + base + "/servlet/ServletResponse;)V";
      add(base + "/servlet/http/HttpServlet", around("service" + types, "enterRequest", 1));
    }
    add("org/apache/catalina/connector/CoyoteAdapter", around("service", "enterCoyote", 1));
    String[] filters = {
      "org/apache/catalina/core/ApplicationFilterChain",
      "org/eclipse/jetty/servlet/FilterHolder",
      "org/eclipse/jetty/ee8/servlet/FilterHolder",
      "org/eclipse/jetty/ee9/servlet/FilterHolder",
      "org/eclipse/jetty/ee10/servlet/FilterHolder",
      "org/eclipse/jetty/ee11/servlet/FilterHolder",
      "io/undertow/servlet/handlers/FilterHandler$FilterChainImpl",
      "spark/http/matching/MatcherFilter",
    };
    for (String filter : filters) {
      add(filter, around("doFilter", "enterRequest", 1));
    }
  }

  private static void others() {
    add("com/sun/net/httpserver/Filter$Chain", around("doFilter", "enterExchange", 1));
    add("org/glassfish/jersey/server/ServerRuntime", around("process", "enterContainer", 1));
    String reactor = "reactor/netty/http/server/";
    add(reactor + "HttpServerOperations", around("onInboundNext", "enterNetty", 0));
    add(reactor + "HttpServer$HttpServerHandle", around("onStateChange", "enterNetty", 1));
  }

  private static void reads() {
    String base = "org/springframework/web/";
    String method = base + "method/annotation/";
    add(method + "RequestHeaderMethodArgumentResolver", resolved(Seen.HEADER));
    add(method + "RequestParamMethodArgumentResolver", resolved(Seen.QUERY));
    for (String jackson : new String[] {"com/fasterxml/jackson/", "tools/jackson/"}) {
      String types = "(L" + jackson + "core/JsonParser;L" + jackson + "databind/DeserializationContext;)";
      add(jackson + "databind/deser/BeanDeserializer", first("deserialize" + types + ANY, "bean", 0));
      String bean = jackson + "databind/deser/bean/BeanDeserializer";
      add(bean, first("deserialize" + types + ANY, "bean", 0));
    }
    String mvc = base + "servlet/mvc/method/annotation/";
    add(mvc + "ServletCookieValueMethodArgumentResolver", resolved(Seen.COOKIE));
  }

  // Kinds of hooks. A name may be followed by types.

  private static boolean is(MethodNode method, String name) {
    return name.indexOf('(') < 0 ? method.name.equals(name) : name.equals(method.name + method.desc);
  }

  /** Something is called first, with the variable that is named, if any. */
  private static Hook first(String name, String hook, int variable) {
    return method -> {
      if (!is(method, name)) {
        return false;
      }
      method.instructions.insert(told(hook, variable));
      return true;
    };
  }

  /** Something is called with the object at each return. */
  private static Hook last(String name, String hook) {
    return method -> {
      if (!is(method, name)) {
        return false;
      }
      for (AbstractInsnNode one : method.instructions.toArray()) {
        if (one.getOpcode() == RETURN) {
          method.instructions.insertBefore(one, told(hook, 0));
        }
      }
      return true;
    };
  }

  /** A call is entered first and left at the end, whichever way that comes. */
  private static Hook around(String name, String hook, int variable) {
    return method -> {
      if (!is(method, name)) {
        return false;
      }
      InsnList code = method.instructions;
      for (AbstractInsnNode one : code.toArray()) {
        if (one.getOpcode() >= IRETURN && one.getOpcode() <= RETURN) {
          code.insertBefore(one, told("leave", -1));
        }
      }
      LabelNode start = new LabelNode();
      LabelNode end = new LabelNode();
      LabelNode handler = new LabelNode();
      code.insert(start);
      code.insert(told(hook, variable));
      code.add(end);
      code.add(handler);
      code.add(new FrameNode(F_NEW, 0, new Object[0], 1, new Object[] {"java/lang/Throwable"}));
      code.add(told("leave", -1));
      code.add(new InsnNode(ATHROW));
      method.tryCatchBlocks.add(new TryCatchBlockNode(start, end, handler, null));
      return true;
    };
  }

  /** A thread of a pool runs one task after the other; what follows each is told of it as well. */
  private static boolean runWorker(MethodNode method) {
    if (!method.name.equals("runWorker")) {
      return false;
    }
    for (AbstractInsnNode one : method.instructions.toArray()) {
      if (!(one instanceof MethodInsnNode)) {
        continue;
      }
      MethodInsnNode call = (MethodInsnNode) one;
      if (call.name.equals("run") && call.owner.equals("java/lang/Runnable")) {
        InsnList list = new InsnList();
        list.add(new InsnNode(DUP));
        list.add(call("enterTask", "(" + ANY + ")V"));
        method.instructions.insertBefore(call, list);
      } else if (call.name.equals("afterExecute")) {
        method.instructions.insertBefore(call, call("leave", "()V"));
      }
    }
    return true;
  }

  /** What Spring looks for to fill the parameters of a handler. */
  private static Hook resolved(int from) {
    return method -> {
      if (!method.name.equals("resolveName") || !method.desc.endsWith(")" + ANY)) {
        return false;
      }
      for (AbstractInsnNode one : method.instructions.toArray()) {
        if (one.getOpcode() == ARETURN) {
          InsnList list = new InsnList();
          list.add(new InsnNode(DUP));
          list.add(new VarInsnNode(ALOAD, 1));
          list.add(new VarInsnNode(ALOAD, 3));
          list.add(new LdcInsnNode(from));
          list.add(call("resolved", "(" + ANY + "Ljava/lang/String;" + ANY + "I)V"));
          method.instructions.insertBefore(one, list);
        }
      }
      return true;
    };
  }

  private static InsnList told(String hook, int variable) {
    InsnList list = new InsnList();
    if (variable >= 0) {
      list.add(new VarInsnNode(ALOAD, variable));
    }
    list.add(call(hook, variable >= 0 ? "(" + ANY + ")V" : "()V"));
    return list;
  }

  private static MethodInsnNode call(String name, String types) {
    return new MethodInsnNode(INVOKESTATIC, HOOKS, name, types, false);
  }
}
