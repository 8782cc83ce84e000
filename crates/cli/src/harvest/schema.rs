//! The schema that records are held against, and who asks for it.

use anyhow::Result;
use fossick_report::one_line;
use tokio::runtime::Runtime;

use crate::config::{self, Config};
use crate::credentials::{Identity, identity};
use crate::document::{Access, Document};
use crate::harvest::flags::SchemaFlags;

/// Everything that is known of the service.
pub(crate) struct Known {
    pub(crate) runtime: Runtime,
    pub(crate) config: Config,
    pub(crate) document: Document,
    pub(crate) identity: Identity,
}

pub(crate) fn read(flags: &SchemaFlags) -> Result<Known> {
    let runtime = crate::test::runtime()?;
    let config = config::load(flags.config.as_deref())?;
    let before = identity(None, &flags.identity, &config).unwrap_or_default();
    let document = found(flags, &flags.schema, &runtime, &config, &before)?;
    let identity = identity(Some(&document.api), &flags.identity, &config)?;
    Ok(Known {
        runtime,
        config,
        document,
        identity,
    })
}

/// Another schema of the same service.
pub(crate) fn another(known: &Known, flags: &SchemaFlags, places: &[String]) -> Result<Document> {
    found(
        flags,
        places,
        &known.runtime,
        &known.config,
        &known.identity,
    )
}

fn found(
    flags: &SchemaFlags,
    places: &[String],
    runtime: &Runtime,
    config: &Config,
    identity: &Identity,
) -> Result<Document> {
    let access = Access {
        runtime,
        headers: &identity.headers,
        users: &identity.users,
        insecure: flags.insecure || config.insecure,
        scalars: &config.graphql.scalars(),
    };
    access.read(places)
}

impl Known {
    /// What is not known because the schema was cut off, for people.
    pub(crate) fn warning(&self) -> Option<String> {
        let cut = self.document.api.types.cut_off.len();
        (cut > 0).then(|| {
            format!(
                "The schema does not name the types of {cut} fields ({}); of these little can be asserted. Introspect again and ask for more levels of ofType.\n",
                one_line(&self.document.name())
            )
        })
    }
}
