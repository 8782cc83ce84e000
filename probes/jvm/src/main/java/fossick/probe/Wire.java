package fossick.probe;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Messages as bytes, as `probes/protocol` specifies them. Only what a probe sends is written here,
 * and only what it receives is read.
 */
final class Wire {
  static final int VERSION = 3;
  static final int LONGEST_FRAME = 4 << 20;
  static final int LONGEST_TEXT = 1 << 20;

  static final int HELLO = 1;
  static final int REGISTER = 2;
  static final int BEGIN = 3;
  static final int END = 4;
  static final int DELTA = 5;
  static final int COVERED = 6;
  static final int RESET = 7;
  static final int SQL = 8;
  static final int PING = 9;
  static final int PONG = 10;
  static final int BYE = 11;
  static final int ERROR = 12;

  private Wire() {}

  /** A frame that can't be understood; the next one may be fine. */
  static final class FrameError extends Exception {
    private static final long serialVersionUID = 1;

    FrameError(String message) {
      super(message);
    }
  }

  // Writing.

  static byte[] hello(String language, int process, List<String> roots, List<String> abilities) {
    Writer out = new Writer(HELLO);
    out.text(language).number(process).number(VERSION).texts(roots).texts(abilities);
    return out.frame();
  }

  static byte[] register(int first, List<Recorder.Target> targets) {
    Writer out = new Writer(REGISTER);
    out.number(first).number(targets.size());
    Map<String, Integer> files = new HashMap<>();
    for (Recorder.Target target : targets) {
      Integer known = files.get(target.file);
      if (known == null) {
        out.number(files.size()).text(target.file);
        files.put(target.file, files.size());
      } else {
        out.number(known);
      }
      out.number(target.line).bytes(target.kind).number(target.ordinal & 0xFFFFFFFFL);
      out.text(target.label);
    }
    return out.frame();
  }

  static byte[] begin(long call) {
    return new Writer(BEGIN).number(call).frame();
  }

  static byte[] delta(
      long call,
      List<Call.Hit> hits,
      String file,
      int line,
      List<Call.Failure> failures,
      List<Seen> observations,
      boolean died) {
    Writer out = new Writer(DELTA);
    out.number(call).number(hits.size());
    long following = 0;
    for (Call.Hit hit : hits) {
      long id = hit.id & 0xFFFFFFFFL;
      out.number(id - following).share(hit.value);
      following = id + 1;
    }
    if (file == null) {
      out.bytes(0);
    } else {
      out.bytes(1).text(file).number(line);
    }
    out.number(failures.size());
    for (Call.Failure failure : failures) {
      out.text(failure.exception).text(failure.message).text(failure.file).number(failure.line);
    }
    out.number(observations.size());
    for (Seen seen : observations) {
      out.bytes(seen.bytes);
    }
    return out.bytes(died ? 1 : 0).frame();
  }

  static byte[] reset() {
    return new Writer(RESET).frame();
  }

  static byte[] sql(
      long call, String statement, List<String> parameters, long rows, List<String> tables) {
    Writer out = new Writer(SQL);
    return out.number(call).text(statement).texts(parameters).number(rows).texts(tables).frame();
  }

  static byte[] pong() {
    return new Writer(PONG).frame();
  }

  static byte[] error(String words) {
    return new Writer(ERROR).text(words).frame();
  }

  /** A row of bytes that grows. */
  static final class Writer {
    private byte[] data = new byte[64];
    private int size;

    /** The fields of something that is no frame. */
    Writer() {}

    Writer(int type) {
      size = 4;
      bytes(type);
    }

    Writer bytes(int value) {
      room(1);
      data[size++] = (byte) value;
      return this;
    }

    Writer bytes(byte[] some) {
      room(some.length);
      System.arraycopy(some, 0, data, size, some.length);
      size += some.length;
      return this;
    }

    /** Unsigned. */
    Writer number(long value) {
      long rest = value;
      while ((rest & ~0x7FL) != 0) {
        bytes((int) (rest & 0x7F | 0x80));
        rest >>>= 7;
      }
      return bytes((int) rest);
    }

    Writer signed(long value) {
      return number(value << 1 ^ value >> 63);
    }

    Writer real(double value) {
      long bits = Double.doubleToRawLongBits(value);
      for (int at = 0; at < 8; at++) {
        bytes((int) (bits >>> 8 * at));
      }
      return this;
    }

    Writer share(double value) {
      return value >= 1 ? bytes(1) : bytes(0).real(value);
    }

    Writer text(String text) {
      byte[] bytes = encoded(text);
      int length = Math.min(bytes.length, LONGEST_TEXT);
      // A letter that would be cut through is left out.
      while (length < bytes.length && (bytes[length] & 0xC0) == 0x80) {
        length--;
      }
      return number(length).bytes(length == bytes.length ? bytes : Arrays.copyOf(bytes, length));
    }

    Writer texts(List<String> texts) {
      number(texts.size());
      for (String text : texts) {
        text(text);
      }
      return this;
    }

    private void room(int count) {
      if (size + count > data.length) {
        data = Arrays.copyOf(data, Math.max(data.length * 2, size + count));
      }
    }

    byte[] taken() {
      return Arrays.copyOf(data, size);
    }

    byte[] frame() {
      int length = size - 4;
      for (int at = 0; at < 4; at++) {
        data[at] = (byte) (length >>> 8 * at);
      }
      return taken();
    }
  }

  /** As UTF-8; a half of a pair is written as a question mark. */
  static byte[] encoded(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Whether a text can be sent as it is. */
  static boolean isClean(String text) {
    CharsetEncoder encoder = StandardCharsets.UTF_8.newEncoder();
    encoder.onMalformedInput(CodingErrorAction.REPORT);
    try {
      encoder.encode(CharBuffer.wrap(text));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }

  // Reading.

  /** A message that came, with those of its fields that matter here. */
  static final class Message {
    final int type;
    long call;
    long version;
    int[] ids;

    // Of a greeting, for those who want to know.
    String language;
    long process;
    List<String> roots;
    List<String> abilities;

    Message(int type) {
      this.type = type;
    }
  }

  /** The message of a frame without its length. */
  static Message read(byte[] data) throws FrameError {
    if (data.length == 0) {
      throw new FrameError("a frame is empty");
    }
    Message message = new Message(data[0] & 0xFF);
    Payload payload = new Payload(data);
    switch (message.type) {
      case HELLO:
        message.language = payload.text();
        message.process = payload.number(32);
        message.version = payload.number(32);
        message.roots = payload.texts();
        message.abilities = payload.texts();
        break;
      case BEGIN:
      case END:
        message.call = payload.number(64);
        break;
      case COVERED:
        message.ids = payload.ids();
        break;
      case RESET:
      case PING:
      case BYE:
        break;
      default:
        boolean isOurs = message.type > 0 && message.type <= ERROR;
        throw new FrameError(
            isOurs ? "this is for the probe to say" : "there is no message of type " + message.type);
    }
    payload.finish();
    return message;
  }

  private static final class Payload {
    private final byte[] data;
    private int at = 1;

    Payload(byte[] data) {
      this.data = data;
    }

    private int left() {
      return data.length - at;
    }

    int one() throws FrameError {
      if (left() < 1) {
        throw new FrameError("a message ends in the middle of a field");
      }
      return data[at++] & 0xFF;
    }

    long number(int bits) throws FrameError {
      long value = 0;
      int low;
      int shift = 0;
      while (true) {
        low = one();
        if (shift == 63 && (low & 0x7E) != 0) {
          throw new FrameError("a number is too large");
        }
        value |= (long) (low & 0x7F) << shift;
        if (low < 0x80) {
          break;
        }
        shift += 7;
        if (shift >= 70) {
          throw new FrameError("a number is too large");
        }
      }
      if (low == 0 && shift > 0 || bits < 64 && value >>> bits != 0) {
        throw new FrameError("a number is too large or not written in its shortest form");
      }
      return value;
    }

    /** How many follow. Each takes a byte at least, so it can be checked first. */
    int count() throws FrameError {
      long count = number(64);
      if (count < 0 || count > left()) {
        throw new FrameError("a message ends in the middle of a field");
      }
      return (int) count;
    }

    String text() throws FrameError {
      int length = count();
      if (length > LONGEST_TEXT) {
        throw new FrameError("a text of " + length + " bytes is too long");
      }
      try {
        ByteBuffer bytes = ByteBuffer.wrap(data, at, length);
        at += length;
        return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
      } catch (CharacterCodingException e) {
        throw new FrameError("a text is not UTF-8");
      }
    }

    List<String> texts() throws FrameError {
      int count = count();
      List<String> texts = new ArrayList<>();
      for (int n = 0; n < count; n++) {
        texts.add(text());
      }
      return texts;
    }

    int[] ids() throws FrameError {
      int[] ids = new int[count()];
      long following = 0;
      for (int n = 0; n < ids.length; n++) {
        long step = number(64);
        long id = following + step;
        if (step < 0 || id >>> 32 != 0) {
          throw new FrameError("a number is too large");
        }
        ids[n] = (int) id;
        following = id + 1;
      }
      return ids;
    }

    void finish() throws FrameError {
      if (left() > 0) {
        throw new FrameError("a message is followed by bytes that belong to nothing");
      }
    }
  }
}
