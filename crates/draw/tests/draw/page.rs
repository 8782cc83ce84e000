//! The page's own script, run by a browser where one is installed.

use std::path::{Path, PathBuf};
use std::process::Command;

use fossick_draw::html;
use fossick_trace::PropertyGraph;

use crate::sample::{made_up, petstore};

fn browser() -> Option<PathBuf> {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let folders: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH")?).collect();
    let mut all = folders.iter().flat_map(|f| names.map(|name| f.join(name)));
    all.find(|path| path.is_file())
}

/// The page as it is after its script ran.
struct Page(String);

impl Page {
    /// `None` where there is no browser to open it.
    fn open(name: &str, graph: &PropertyGraph, fragment: &str) -> Option<Self> {
        let Some(browser) = browser() else {
            eprintln!("there is no browser: the page's script is not tested");
            return None;
        };
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let path = folder.join(format!("{name}.html"));
        std::fs::write(&path, html(graph)).expect("the target folder can be written");
        let profile = folder.join(format!("browser-{name}"));
        let output = Command::new(browser)
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--no-first-run",
            ])
            .args(["--disable-background-networking", "--enable-logging=stderr"])
            .arg(format!("--user-data-dir={}", profile.display()))
            .args(["--window-size=1400,900", "--dump-dom"])
            .arg(format!("file://{}#{fragment}", path.display()))
            .output()
            .expect("the browser starts");
        let _ = std::fs::remove_dir_all(profile);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!errors.contains("Uncaught"), "{errors}");
        Some(Self(String::from_utf8_lossy(&output.stdout).into_owned()))
    }

    /// What the script says of itself.
    fn fact(&self, name: &str) -> &str {
        let body = self.0.split_once("<body").expect("a body").1;
        let tag = body.split_once('>').expect("it ends").0;
        let start = format!("data-{name}=\"");
        let after = tag
            .split_once(&start)
            .unwrap_or_else(|| panic!("{name} in {tag}"));
        after.1.split_once('"').expect("quoted").0
    }

    fn panel(&self) -> &str {
        let after = self.0.split_once("<aside id=\"panel\"").expect("a panel").1;
        after.split_once("</aside>").expect("it ends").0
    }
}

#[test]
fn a_search_finds_and_lists() {
    let Some(page) = Page::open("search", &petstore("after"), "q=order") else {
        return;
    };
    assert_eq!(page.fact("ready"), "yes");
    assert_eq!(page.fact("matches"), "4", "one schema and three operations");
    assert!(page.panel().contains("POST /store/order"));
    assert!(!page.panel().contains("findByStatus"));
}

#[test]
fn an_edge_shows_its_evidence() {
    let Some(page) = Page::open("evidence", &petstore("after"), "show=e11") else {
        return;
    };
    let panel = page.panel();
    for words in [
        "Order.petId = Pet.id",
        "worked 18 of 18 times",
        "after 118 requests",
        "in 18 pairs",
    ] {
        assert!(panel.contains(words), "{words} in {panel}");
    }
}

#[test]
fn before_the_run_there_is_only_what_was_told() {
    let Some(page) = Page::open("before", &petstore("after"), "before") else {
        return;
    };
    assert_eq!(page.fact("shown"), "9");
    assert!(!page.0.contains("class=\"e k-consumes s-removed\""));
}

#[test]
fn filters_leave_out_kinds_states_and_doubtful_edges() {
    let Some(page) = Page::open(
        "filters",
        &petstore("after"),
        "hide=endpoint,removed&least=0.9",
    ) else {
        return;
    };
    assert_eq!(page.fact("shown"), "8");
}

/// Resources of a made-up service with a word each that its paths begin with.
#[test]
fn a_large_graph_begins_with_its_clusters_and_each_opens() {
    let graph = made_up(30, 200);
    let shown = |page: &Page, kind: &str| {
        let elements = page.0.split("<g class=\"n ").skip(1);
        let tags = elements.filter_map(|element| element.split('>').next());
        let open = tags.filter(|tag| tag.starts_with(kind) && !tag.contains("shut"));
        open.count()
    };
    let Some(page) = Page::open("overview", &graph, "") else {
        return;
    };
    assert_eq!((page.fact("ready"), page.fact("open")), ("yes", ""));
    assert!(
        page.0.contains("class=\"fossick-graph overview"),
        "it is shown"
    );
    let cluster = page.0.split_once("id=\"c0\"").expect("a cluster").1;
    let name = cluster.split_once("<title>").expect("a name").1;
    let name = name.split_once("</title>").expect("it ends").0.to_owned();
    let page = Page::open("open", &graph, &format!("open={name}")).expect("a browser");
    assert_eq!(page.fact("open"), name);
    assert!(page.panel().contains("joined to"), "{}", page.panel());
    let own = shown(&page, "o ");
    assert!(own > 0 && own < 60, "{own}");
    let page = Page::open("all", &graph, "all").expect("a browser");
    assert_eq!(page.fact("open"), "all");
    assert_eq!(shown(&page, "o "), 200);
    // What is chosen opens the cluster that it is in.
    let page = Page::open("inside", &graph, "show=o150").expect("a browser");
    assert!(!["", "all"].contains(&page.fact("open")));
}

#[test]
fn three_hundred_operations_and_hostile_names_are_no_trouble() {
    let mut graph = made_up(120, 300);
    for schema in &mut graph.schemas {
        schema
            .name
            .push_str("</script><img src=x onerror=document.body.remove()>");
    }
    let Some(page) = Page::open("hostile", &graph, "show=s4") else {
        return;
    };
    assert_eq!(page.fact("ready"), "yes");
    assert!(!page.0.contains("<img"));
    assert!(page.panel().contains("&lt;img src=x"));
}
