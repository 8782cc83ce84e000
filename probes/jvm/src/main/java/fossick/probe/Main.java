package fossick.probe;

import java.io.File;
import java.util.jar.JarFile;
import java.util.jar.Manifest;

/** What this JVM was started with: a class, or a jar file. */
final class Main {
  private static final String[] TOOLS = {
    "org.apache.maven.", "org.gradle.", "org.codehaus.plexus.classworlds.", "sbt.", "jdk.compiler/",
    "jdk.jartool/", "com.sun.tools.", "worker.org.gradle.", "org.jetbrains.kotlin.", "kotlin.",
  };
  private static final String[] TOOL_JARS = {
    "maven-wrapper.jar", "gradle-wrapper.jar", "sbt-launch.jar", "plexus-classworlds",
    "gradle-launcher", "kotlin-compiler", "kotlin-preloader",
  };

  private Main() {}

  private static String command() {
    String command = System.getProperty("sun.java.command");
    return command == null ? "" : command;
  }

  /** A build tool runs the service in a JVM of its own, and is none. */
  static boolean isTool() {
    String command = command();
    for (String tool : TOOLS) {
      if (command.startsWith(tool)) {
        return true;
      }
    }
    String name = command.split(" ")[0];
    name = name.substring(name.lastIndexOf('/') + 1);
    for (String jar : TOOL_JARS) {
      if (name.startsWith(jar)) {
        return true;
      }
    }
    return false;
  }

  /** The file that was run: the class path is all there is to `java -jar`. */
  static File jar() {
    String path = System.getProperty("java.class.path", "");
    boolean isRun = path.endsWith(".jar") && command().startsWith(path);
    if (isRun) {
      return canonical(new File(path));
    }
    String entry = type().replace('.', '/') + ".class";
    for (String one : path.split(File.pathSeparator)) {
      if (one.endsWith(".jar") && holds(one, entry)) {
        return canonical(new File(one));
      }
    }
    return null;
  }

  private static boolean holds(String jar, String entry) {
    try (JarFile file = new JarFile(jar)) {
      return file.getEntry(entry) != null;
    } catch (Exception e) {
      return false;
    }
  }

  private static String type() {
    String name = command().split(" ")[0];
    int slash = name.indexOf('/');
    return slash > 0 && !name.endsWith(".jar") ? name.substring(slash + 1) : name;
  }

  /** The class where the user's code begins. */
  static String start(File jar) {
    try (JarFile file = new JarFile(jar)) {
      Manifest manifest = file.getManifest();
      String start = manifest == null ? null : manifest.getMainAttributes().getValue("Start-Class");
      if (start != null) {
        return start;
      }
      String path = System.getProperty("java.class.path", "");
      if (!command().startsWith(path)) {
        return type();
      }
      return manifest == null ? null : manifest.getMainAttributes().getValue("Main-Class");
    } catch (Exception e) {
      return null;
    }
  }

  static File canonical(File file) {
    try {
      return file.getCanonicalFile();
    } catch (java.io.IOException e) {
      return file.getAbsoluteFile();
    }
  }
}
