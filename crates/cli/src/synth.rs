//! `fossick synth`: a made-up service to try searches on, served until Ctrl-C.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow, bail};
use fossick_synth::{Model, NAMES, Numbers, Paths, Service, document, serve_for};
use tokio::signal::unix::{SignalKind, signal};

use crate::exit::Exit;
use crate::flags::{SynthFlags, SynthPaths};
use crate::nearest::nearest;
use crate::screen::print;
use crate::test::runtime;

/// Where the tool listens that started this service, if one did.
const TOOL: &str = "FOSSICK_PROBE";

pub(crate) fn synth(flags: &SynthFlags) -> Result<Exit> {
    if flags.list {
        print(&(NAMES.join("\n") + "\n"));
        return Ok(Exit::Clean);
    }
    let model = model(flags)?;
    if flags.document {
        print(&(document(&model)?.trim_end().to_owned() + "\n"));
        return Ok(Exit::Clean);
    }
    let tool = std::env::var_os(TOOL).map(PathBuf::from);
    let service = serve_for(tool.as_deref(), &model, flags.port)
        .with_context(|| format!("failed to serve at port {}", flags.port))?;
    print(&announcement(&model, &service));
    runtime()?
        .block_on(until_ended())
        .context("failed to wait for Ctrl-C")?;
    Ok(Exit::Clean)
}

/// Scripts end a service with a signal of their own; its socket must not stay behind then either.
async fn until_ended() -> std::io::Result<()> {
    let mut terminated = signal(SignalKind::terminate())?;
    tokio::select! {
        pressed = tokio::signal::ctrl_c() => pressed,
        _ = terminated.recv() => Ok(()),
    }
}

/// One of the twelve.
pub(crate) fn named(name: &str) -> Result<Model> {
    Model::named(name).ok_or_else(|| {
        let hint = match nearest(name, NAMES) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "`fossick synth --list` names the twelve there are".to_owned(),
        };
        anyhow!("there is no synthetic service `{name}`\n  {hint}")
    })
}

fn model(flags: &SynthFlags) -> Result<Model> {
    match (&flags.name, &flags.file) {
        (Some(name), _) => named(name),
        (None, Some(file)) => from_file(file),
        (None, None) if flags.is_random() => Ok(Model::random(numbers(flags))),
        (None, None) => bail!(
            "which service? Name one of `fossick synth --list`, describe one with --file, or have one made with --resources 5"
        ),
    }
}

fn from_file(file: &Path) -> Result<Model> {
    let name = file.display();
    let text = std::fs::read_to_string(file).with_context(|| format!("failed to read {name}"))?;
    Model::from_toml(&text).map_err(|error| anyhow!("{name}: {error}"))
}

fn numbers(flags: &SynthFlags) -> Numbers {
    let resources = flags.resources.unwrap_or(5);
    Numbers {
        resources: usize::from(resources),
        methods: usize::from(flags.methods.unwrap_or(6)),
        dependencies: usize::from(flags.dependencies.unwrap_or(resources - 1)),
        paths: match flags.paths.unwrap_or(SynthPaths::Hidden) {
            SynthPaths::Shown => Paths::Shown,
            SynthPaths::Hidden => Paths::Hidden,
        },
        seed: flags.seed.unwrap_or(1),
    }
}

fn announcement(model: &Model, service: &Service) -> String {
    let url = service.url();
    format!(
        "{}, {} operations, until Ctrl-C\n\
         service   {url}\n\
         document  {url}/openapi.json\n\
         coverage  {url}/__coverage\n\
         probe     {}\n",
        model.name,
        model.endpoints(),
        service.probe_path().display()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_name_is_answered_with_the_nearest() {
        let error = named("dense-central-existance-shown").expect_err("misspelt");
        let error = error.to_string();
        assert!(
            error.ends_with("did you mean `dense-central-existence-shown`?"),
            "{error}"
        );
        let error = named("shop").expect_err("unknown").to_string();
        assert!(error.ends_with("names the twelve there are"), "{error}");
    }
}
