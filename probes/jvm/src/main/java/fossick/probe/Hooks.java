package fossick.probe;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What rewritten classes of servers and of the JDK call: where the work on a request begins and ends,
 * and where work is handed to another thread. Each `enter` has its `leave`.
 */
public final class Hooks {
  /** Tasks that wait, with the call in which they were made. Tasks are told apart as objects. */
  private static final ConcurrentHashMap<Task, Call> TASKS = new ConcurrentHashMap<>();

  private static final ReferenceQueue<Object> GONE = new ReferenceQueue<>();

  private Hooks() {}

  private static final class Task extends WeakReference<Object> {
    private final int hash;

    Task(Object task, ReferenceQueue<Object> queue) {
      super(task, queue);
      hash = System.identityHashCode(task);
    }

    @Override
    public int hashCode() {
      return hash;
    }

    @Override
    public boolean equals(Object other) {
      if (this == other) {
        return true;
      }
      return other instanceof Task && get() != null && get() == ((Task) other).get();
    }
  }

  /** Work was made or handed on by whoever works on a call. */
  public static void carry(Object task) {
    try {
      Call call = Track.current().call();
      if (task == null || call == Call.STRAY) {
        return;
      }
      Reference<?> gone;
      while ((gone = GONE.poll()) != null) {
        TASKS.remove(gone);
      }
      TASKS.put(new Task(task, GONE), call);
    } catch (Throwable e) {
      Log.note("a task could not be followed", e);
    }
  }

  /** Work that was handed on is begun. */
  public static void enterTask(Object task) {
    Track track = Track.current();
    Call call = TASKS.isEmpty() || task == null ? null : TASKS.get(new Task(task, null));
    track.enter(call == null || call.isOver ? track.call() : call);
  }

  public static void leave() {
    Track.current().leave();
  }

  /** A thread of a pool waits for work. */
  public static void rest() {
    Track.current().rest();
  }

  // Requests. What their classes are is known to nobody here.

  /** A request of a servlet, or whatever tells its headers by `getHeader`. */
  public static void enterRequest(Object request) {
    enter(Reads.ask(request, "getHeader", Reads.HEADER), request);
  }

  /** A request as Tomcat has it, before there is one for servlets. */
  public static void enterCoyote(Object request) {
    enter(Reads.ask(request, "getHeader", Reads.HEADER), null);
  }

  /** What tells its headers by `getHeaderString`, as those of JAX-RS do. */
  public static void enterContainer(Object request) {
    enter(Reads.ask(request, "getHeaderString", Reads.HEADER), null);
  }

  /** An exchange of the JDK's own server. */
  public static void enterExchange(Object exchange) {
    Object headers = Reads.ask(exchange, "getRequestHeaders");
    Object uri = Reads.ask(exchange, "getRequestURI");
    Call call = enter(Reads.ask(headers, "getFirst", Reads.HEADER), null);
    Object query = Reads.ask(uri, "getRawQuery");
    if (call != null) {
      call.query = query == null ? "" : String.valueOf(query);
    }
  }

  /** A request of Netty's, or what has one: its headers are asked by `get`. */
  public static void enterNetty(Object request) {
    Object headers = Reads.ask(request, "requestHeaders");
    headers = headers == null ? Reads.ask(request, "headers") : headers;
    enter(Reads.ask(headers, "get", Reads.HEADER), null);
  }

  private static Call enter(Object header, Object servlet) {
    Track track = Track.current();
    long number = number(header);
    if (number == 0) {
      track.enter(track.call());
      return null;
    }
    Call call = track.call();
    if (call.number != number) {
      call = Recorder.join(number);
    }
    if (servlet != null && call.query == null) {
      Object query = Reads.ask(servlet, "getQueryString");
      call.query = query == null ? "" : String.valueOf(query);
    }
    track.enter(call);
    return call;
  }

  private static long number(Object header) {
    if (!(header instanceof String)) {
      return 0;
    }
    try {
      return Long.parseUnsignedLong((String) header);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /** Jackson is about to read an object. */
  public static void bean(Object reader) {
    try {
      Call call = Track.current().call();
      if (Recorder.isOn() && call != Call.STRAY) {
        Reads.bean(call, reader);
      }
    } catch (Throwable e) {
      Log.note("a read could not be told", e);
    }
  }

  /** A framework has looked for what a parameter of a handler is named after. */
  public static void resolved(Object found, String name, Object request, int from) {
    try {
      if (Recorder.isOn()) {
        Reads.request(Track.current().call(), from, request, name, found != null);
      }
    } catch (Throwable e) {
      Log.note("a read could not be told", e);
    }
  }
}
