package fossick.probe;

import java.io.File;
import java.util.ArrayList;
import java.util.List;

/** Where the source files are, so that the tool can show their lines. */
final class Sources {
  private static final String[] PLACES = {
    "src/main/java", "src/main/kotlin", "src/main/groovy", "src/main/scala", "src",
  };
  private static final int DEEPEST = 3;
  private static final int HIGHEST = 5;

  private final List<String> roots = new ArrayList<>();

  Sources(List<File> covered) {
    for (File one : covered) {
      if (one.isDirectory()) {
        addBelow(one, DEEPEST);
      } else if (one.getParentFile() != null) {
        add(one.getParentFile());
      }
    }
    for (File one : covered) {
      if (one.isDirectory()) {
        add(one);
      }
    }
  }

  /** Class files are built somewhere below the project that they belong to. */
  synchronized void addAbove(File classes) {
    File at = classes;
    for (int n = 0; n < HIGHEST && at != null; n++) {
      addPlaces(at);
      at = at.getParentFile();
    }
  }

  synchronized List<String> roots() {
    return new ArrayList<>(roots);
  }

  private void addPlaces(File project) {
    for (String place : PLACES) {
      File folder = new File(project, place);
      boolean isOuter = place.equals("src") && new File(folder, "main").isDirectory();
      if (folder.isDirectory() && !isOuter) {
        add(folder);
      }
    }
  }

  private void addBelow(File folder, int deep) {
    addPlaces(folder);
    File[] inner = deep == 0 ? null : folder.listFiles(File::isDirectory);
    if (inner == null) {
      return;
    }
    java.util.Arrays.sort(inner);
    for (File one : inner) {
      String name = one.getName();
      boolean isOther =
          name.startsWith(".")
              || name.equals("node_modules")
              || name.equals("target")
              || name.equals("build")
              || name.equals("src");
      if (!isOther) {
        addBelow(one, deep - 1);
      }
    }
  }

  private void add(File folder) {
    String path = folder.getPath();
    if (!roots.contains(path) && roots.size() < 64) {
      roots.add(path);
    }
  }
}
