package fossick.probe;

import java.io.File;
import java.net.URI;
import java.net.URL;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Which classes are the user's own. */
final class Scope {
  private final List<File> folders = new ArrayList<>();

  /** Names of packages or classes, with slashes. */
  private final List<String> packages = new ArrayList<>();

  private final List<File> sourceFolders = new ArrayList<>();

  private final Map<String, Place> places = new ConcurrentHashMap<>();
  final Sources sources;

  Scope(String cover) {
    for (String entry : (cover == null ? "" : cover).split(File.pathSeparator)) {
      if (entry.isEmpty()) {
        continue;
      }
      File file = new File(entry);
      if (file.isAbsolute() && file.exists()) {
        addNamed(Main.canonical(file));
      } else {
        packages.add(entry.replace('.', '/').replace("/*", ""));
      }
    }
    sources = new Sources(folders);
  }

  private void addNamed(File named) {
    folders.add(named);
    if (named.isDirectory() && (named.getPath() + "/").contains("/src/")) {
      for (String inner : new String[] {"", "main/java", "main/kotlin", "java", "kotlin"}) {
        File folder = new File(named, inner);
        if (folder.isDirectory()) {
          sourceFolders.add(folder);
        }
      }
    }
  }

  /** Where classes come from. */
  private static final class Place {
    /** A class of the user's own must be in one of these packages; nothing is where there are none. */
    final List<String> within = new ArrayList<>();

    final File file;

    Place(File file) {
      this.file = file;
    }
  }

  /** Whether a class is the user's own. Its name has slashes. */
  boolean owns(String type, ProtectionDomain domain) {
    for (String own : packages) {
      if (isWithin(type, own)) {
        return true;
      }
    }
    Place place = place(domain);
    if (place == null) {
      return false;
    }
    for (String own : place.within) {
      if (isWithin(type, own)) {
        return true;
      }
    }
    return hasSource(type);
  }

  /** Somebody may name the folder of the sources; their class files lie elsewhere. */
  private boolean hasSource(String type) {
    if (sourceFolders.isEmpty()) {
      return false;
    }
    int inner = type.indexOf('$', type.lastIndexOf('/') + 1);
    String outer = inner < 0 ? type : type.substring(0, inner);
    String kotlin = outer.endsWith("Kt") ? outer.substring(0, outer.length() - 2) : outer;
    for (File folder : sourceFolders) {
      if (new File(folder, outer + ".java").isFile() || new File(folder, kotlin + ".kt").isFile()) {
        return true;
      }
    }
    return false;
  }

  /** Where the class files are. */
  File origin(ProtectionDomain domain) {
    Place place = place(domain);
    return place == null ? null : place.file;
  }

  private static boolean isWithin(String type, String own) {
    return own.isEmpty()
        || type.startsWith(own)
            && (type.length() == own.length() || "/$".indexOf(type.charAt(own.length())) >= 0);
  }

  private Place place(ProtectionDomain domain) {
    CodeSource source = domain == null ? null : domain.getCodeSource();
    URL location = source == null ? null : source.getLocation();
    return location == null
        ? null
        : places.computeIfAbsent(location.toString(), this::placeAt);
  }

  /** An address such as `file:/a/b/`, `jar:file:/a.jar!/BOOT-INF/classes!/` or `jar:nested:/a.jar/!…`. */
  private Place placeAt(String location) {
    String rest = location;
    for (String scheme : new String[] {"jar:", "nested:", "file:"}) {
      rest = rest.startsWith(scheme) ? rest.substring(scheme.length()) : rest;
    }
    rest = rest.replace("/!", "!/");
    int end = rest.indexOf("!/");
    File file = file(end < 0 ? rest : rest.substring(0, end));
    Place place = new Place(file);
    String inner = end < 0 ? "" : rest.substring(end + 2).replace("!/", "");
    if (inner.startsWith("BOOT-INF/lib") || inner.startsWith("WEB-INF/lib")) {
      return place;
    }
    if (file.isDirectory() || !isArchive(file)) {
      addFolder(place);
    } else {
      addArchive(place, inner);
    }
    return place;
  }

  private static boolean isArchive(File file) {
    return file.getName().endsWith(".jar") || file.getName().endsWith(".war");
  }

  private static File file(String path) {
    try {
      return Main.canonical(new File(new URI("file://" + path).getPath()));
    } catch (Exception e) {
      return Main.canonical(new File(path));
    }
  }

  private void addFolder(Place place) {
    for (File folder : folders) {
      boolean isNamed = place.file.equals(folder);
      if (isNamed || isBelow(place.file, folder) && !isOfTests(place.file, folder)) {
        place.within.add("");
        return;
      }
    }
    // A source that is named: its class files may be anywhere.
    for (File file : folders) {
      String name = file.getName();
      int ending = name.lastIndexOf('.');
      if (file.isFile() && (name.endsWith(".java") || name.endsWith(".kt"))) {
        String type = name.substring(0, ending);
        place.within.add(type);
        place.within.add(type + "Kt");
      }
    }
  }

  private static boolean isOfTests(File file, File folder) {
    String rest = file.getPath().substring(folder.getPath().length());
    return rest.contains("/test-classes")
        || rest.endsWith("/test")
        || rest.contains("/.gradle/")
        || rest.contains("/.m2/");
  }

  /** Of a jar file, only the one that was run is the user's own, and not all that was packed into it. */
  private void addArchive(Place place, String inner) {
    File main = Main.jar();
    boolean isMain = place.file.equals(main);
    boolean isCovered = false;
    boolean isNamed = false;
    for (File folder : folders) {
      isNamed |= place.file.equals(folder);
      isCovered |= isBelow(place.file, folder);
    }
    if (isNamed && !isMain) {
      place.within.add("");
      return;
    }
    // What a call of the tool covers when nobody says otherwise, wherever the jar may be.
    boolean isByDefault = folders.size() == 1 && packages.isEmpty() && isHere(folders.get(0));
    if (!isMain || !(isNamed || isCovered || isByDefault)) {
      return;
    }
    if (inner.startsWith("BOOT-INF/classes") || inner.startsWith("WEB-INF/classes")) {
      place.within.add("");
      return;
    }
    String start = Main.start(place.file);
    if (start != null) {
      place.within.add(group(start));
    }
  }

  private static boolean isHere(File folder) {
    return folder.equals(Main.canonical(new File(System.getProperty("user.dir", "."))));
  }

  /** The first two parts of a class's package; all of the package if it has fewer; else the class. */
  private static String group(String type) {
    String[] parts = type.split("\\.");
    if (parts.length == 1) {
      return parts[0];
    }
    return parts.length == 2 ? parts[0] : parts[0] + "/" + parts[1];
  }

  private static boolean isBelow(File file, File folder) {
    return file.equals(folder) || file.getPath().startsWith(folder.getPath() + File.separator);
  }
}
