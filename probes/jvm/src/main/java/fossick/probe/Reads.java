package fossick.probe;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What was looked for by name: headers, parameters, cookies, fields. The classes of frameworks are
 * not known here and asked by the names of their methods.
 */
final class Reads {
  static final String HEADER = "x-fossick-call";
  private static final int MOST = 64;

  private static final ClassValue<Map<String, Optional<Method>>> METHODS =
      new ClassValue<Map<String, Optional<Method>>>() {
        @Override
        protected Map<String, Optional<Method>> computeValue(Class<?> kind) {
          return new HashMap<>();
        }
      };

  private Reads() {}

  /** Calls a public method; null where there is none or it fails. */
  static Object ask(Object target, String name, Object... arguments) {
    if (target == null) {
      return null;
    }
    Map<String, Optional<Method>> known = METHODS.get(target.getClass());
    Optional<Method> method;
    synchronized (known) {
      method = known.get(name);
      if (method == null) {
        method = Optional.ofNullable(find(target.getClass(), name, arguments));
        known.put(name, method);
      }
    }
    try {
      return method.isPresent() ? method.get().invoke(target, arguments) : null;
    } catch (ReflectiveOperationException | RuntimeException e) {
      return null;
    }
  }

  /** As a public class or interface above declares it: the class itself may be hidden. */
  private static Method find(Class<?> kind, String name, Object[] arguments) {
    for (Class<?> at = kind; at != null; at = at.getSuperclass()) {
      if (isOpen(at)) {
        Method found = declared(at, name, arguments);
        if (found != null) {
          return found;
        }
      }
      for (Class<?> above : at.getInterfaces()) {
        Method found = find(above, name, arguments);
        if (found != null) {
          return found;
        }
      }
    }
    return null;
  }

  /** Classes inside the JDK may be public and still be nobody else's business. */
  private static boolean isOpen(Class<?> kind) {
    String name = kind.getName();
    boolean isInside = name.startsWith("sun.") || name.startsWith("jdk.internal.");
    return Modifier.isPublic(kind.getModifiers()) && !isInside;
  }

  private static Method declared(Class<?> kind, String name, Object[] arguments) {
    for (Method method : kind.getDeclaredMethods()) {
      Class<?>[] types = method.getParameterTypes();
      if (!method.getName().equals(name)
          || types.length != arguments.length
          || !Modifier.isPublic(method.getModifiers())) {
        continue;
      }
      boolean fits = true;
      for (int at = 0; at < types.length; at++) {
        fits &= types[at].isInstance(arguments[at]);
      }
      if (fits) {
        return method;
      }
    }
    return null;
  }

  /** Words of an object of a library's. */
  static String text(Object value) {
    return value == null ? null : String.valueOf(value);
  }

  /** The names in whatever an object gives for them. */
  private static List<String> names(Object all) {
    List<String> names = new ArrayList<>();
    Iterator<?> each = Collections.emptyIterator();
    if (all instanceof Enumeration) {
      Enumeration<?> some = (Enumeration<?>) all;
      while (some.hasMoreElements() && names.size() < MOST) {
        names.add(String.valueOf(some.nextElement()));
      }
    } else if (all instanceof Map) {
      each = ((Map<?, ?>) all).keySet().iterator();
    } else if (all instanceof Collection) {
      each = ((Collection<?>) all).iterator();
    } else if (all instanceof Iterator) {
      each = (Iterator<?>) all;
    }
    while (each.hasNext() && names.size() < MOST) {
      names.add(String.valueOf(each.next()));
    }
    return names;
  }

  private static Object firstOf(Object holder, String... methods) {
    for (String method : methods) {
      Object found = ask(holder, method);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  static void request(Call call, int from, Object holder, Object name, boolean found) {
    if (!(name instanceof String)) {
      return;
    }
    String wanted = (String) name;
    List<String> beside;
    if (from == Seen.HEADER) {
      wanted = wanted.toLowerCase(Locale.ROOT);
      Object all = holder instanceof Map ? holder : firstOf(holder, "getHeaderNames", "headerMap");
      beside = lower(names(all));
    } else if (from == Seen.COOKIE) {
      beside = Collections.emptyList();
    } else {
      beside = names(firstOf(holder, "getParameterNames", "queryParamMap"));
    }
    Observe.read(call, -1, from, wanted, found, beside);
  }

  private static List<String> lower(List<String> names) {
    List<String> lower = new ArrayList<>();
    for (String name : names) {
      lower.add(name.toLowerCase(Locale.ROOT));
    }
    return lower;
  }

  /** A parameter of a servlet may stand in the query or in a form. */
  static int parameter(Object request) {
    Object kind = ask(request, "getContentType");
    boolean isForm = kind instanceof String && ((String) kind).contains("form");
    return isForm ? Seen.FORM : Seen.QUERY;
  }

  /** Something was looked up in a map that may have come from the request. */
  static void fromMap(Call call, int id, Object map, Object key, boolean found) {
    if (!(key instanceof String) || !(map instanceof Map)) {
      return;
    }
    boolean isHeaders = map.getClass().getName().equals("com.sun.net.httpserver.Headers");
    if (!isHeaders && !Observe.isOfTheJdk(map)) {
      return;
    }
    List<String> names = new ArrayList<>();
    try {
      for (Object name : ((Map<?, ?>) map).keySet()) {
        if (!(name instanceof String)) {
          return;
        }
        names.add((String) name);
        if (names.size() > MOST) {
          // A table of the service's own rather than a request.
          return;
        }
      }
    } catch (RuntimeException e) {
      return;
    }
    if (isHeaders || lower(names).contains(HEADER)) {
      String wanted = ((String) key).toLowerCase(Locale.ROOT);
      Observe.read(call, id, Seen.HEADER, wanted, found, lower(names));
    } else {
      boolean isQuery = isTheQuery(call, names);
      Observe.read(call, id, isQuery ? Seen.QUERY : Seen.KEY, (String) key, found, names);
      if (names.isEmpty()) {
        // It may hold what else there is in a body.
        Observe.read(call, id, Seen.FORM, (String) key, found, names);
      }
    }
  }

  /** Whether a map has just the names that the query has. */
  private static boolean isTheQuery(Call call, List<String> names) {
    String query = call.query;
    if (query == null) {
      return false;
    }
    List<String> there = new ArrayList<>();
    for (String part : query.split("&")) {
      String name = part.split("=", 2)[0];
      if (!name.isEmpty()) {
        there.add(name);
      }
    }
    return names.containsAll(there) && there.containsAll(names);
  }

  static boolean isInQuery(Call call, Object name) {
    String query = call.query;
    return query != null && name instanceof String && ("&" + query).contains("&" + name + "=");
  }

  /** A field of a JSON object. */
  static void field(Call call, int id, Object holder, Object name, boolean found) {
    if (!(name instanceof String) || holder == null || isMissing(holder)) {
      return;
    }
    if (holder instanceof Map) {
      fromMap(call, id, holder, name, found);
      return;
    }
    Object all = firstOf(holder, "fieldNames", "propertyNames", "keySet");
    Observe.read(call, id, Seen.KEY, (String) name, found, names(all));
  }

  /** Fields of an object of the user's own that is about to be read from JSON. */
  static void bean(Call call, Object reader) {
    Object kind = ask(reader, "handledType");
    if (!(kind instanceof Class) || !Failures.FILES.containsKey(((Class<?>) kind).getName())) {
      return;
    }
    List<String> names = names(ask(reader, "getKnownPropertyNames"));
    for (String name : names) {
      Observe.read(call, -1, Seen.KEY, name, false, names);
    }
  }

  /** Jackson has an object for what is not there. */
  static boolean isMissing(Object node) {
    return node.getClass().getSimpleName().equals("MissingNode");
  }
}
