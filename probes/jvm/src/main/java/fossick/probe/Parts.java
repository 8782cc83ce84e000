package fossick.probe;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Collections;
import java.util.List;
import java.util.ArrayList;

/** Objects of the user's own that are compared: field by field, where they hold plain values. */
final class Parts {
  private static final int MOST = 16;

  private static final ClassValue<List<Field>> FIELDS =
      new ClassValue<List<Field>>() {
        @Override
        protected List<Field> computeValue(Class<?> kind) {
          try {
            return open(kind);
          } catch (RuntimeException e) {
            // A module that lets nobody look inside.
            return Collections.emptyList();
          }
        }
      };

  private Parts() {}

  private static List<Field> open(Class<?> kind) {
    List<Field> fields = new ArrayList<>();
    for (Field field : kind.getDeclaredFields()) {
      if (!Modifier.isStatic(field.getModifiers()) && fields.size() < MOST) {
        field.setAccessible(true);
        fields.add(field);
      }
    }
    return fields;
  }

  private static List<Field> shared(Object left, Object right) {
    boolean isOwn =
        left != null
            && right != null
            && left.getClass() == right.getClass()
            && Failures.FILES.containsKey(left.getClass().getName())
            && !(left instanceof Enum);
    return isOwn ? FIELDS.get(left.getClass()) : Collections.emptyList();
  }

  /** False where there is nothing to compare but the objects. */
  static boolean tell(Call call, int id, Object left, Object right) {
    List<Field> fields = shared(left, right);
    for (Field field : fields) {
      Object ours = value(field, left);
      Object theirs = value(field, right);
      if (ours != null && theirs != null && !ours.equals(theirs)) {
        Observe.pair(call, id, Seen.EQUAL, ours, theirs);
      }
    }
    return !fields.isEmpty();
  }

  static double distance(Object left, Object right) {
    List<Field> fields = shared(left, right);
    if (fields.isEmpty()) {
      return Distance.equal(left, right);
    }
    double sum = 0;
    for (Field field : fields) {
      Object ours = value(field, left);
      Object theirs = value(field, right);
      if (ours == null || theirs == null) {
        sum += ours == theirs ? 0 : 1;
      } else if (!ours.equals(theirs)) {
        sum += Distance.equal(ours, theirs);
      }
    }
    return sum == 0 ? 1 : sum;
  }

  /** Only values of the JDK's: nothing of the user's is run. */
  private static Object value(Field field, Object holder) {
    try {
      Object value = field.get(holder);
      boolean isPlain = value != null && value.getClass().getClassLoader() == null;
      return isPlain && (value instanceof Comparable) ? value : null;
    } catch (IllegalAccessException e) {
      return null;
    }
  }
}
