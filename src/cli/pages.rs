//! What shells and `man` know of the command, made of the same rows as `--help`.

use super::brcc;
use super::files::write_files;
use super::{Arguments, Failure, Outcome, terminal};
use clap::{Args, Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Args)]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(self) -> Outcome {
        let mut text = Vec::new();
        clap_complete::generate(self.shell, &mut Arguments::command(), "brook", &mut text);
        terminal::print(&String::from_utf8_lossy(&text))?;
        Ok(ExitCode::SUCCESS)
    }
}

#[derive(Args)]
pub(crate) struct Manual {
    /// Write brook.1, brook-SUBCOMMAND.1 and brcc.1 into DIR
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

impl Manual {
    pub(crate) fn run(self) -> Outcome {
        std::fs::create_dir_all(&self.folder).map_err(|error| {
            let folder = self.folder.display();
            Failure::System(format!("cannot create '{folder}': {error}"))
        })?;
        let mut brook = Arguments::command();
        brook.build();
        let mut pages = Vec::new();
        let subcommands = brook.get_subcommands().filter(|c| !c.is_hide_set());
        for subcommand in subcommands.filter(|c| c.get_name() != "help") {
            let name = format!("brook-{}", subcommand.get_name());
            // As it is called; the page's own name has no blank in it.
            let usage = subcommand.clone().bin_name(name.replacen('-', " ", 1));
            pages.push(page(usage.display_name(&name), &name)?);
        }
        pages.push(page(brook, "brook")?);
        let brcc = Command::new("brcc")
            .about("Compile a Brook+ file as AMD's compiler did")
            .version(env!("CARGO_PKG_VERSION"))
            .after_long_help(brcc::HELP)
            .disable_help_flag(true)
            .disable_version_flag(true);
        pages.push(page(brcc, "brcc")?);
        let files: Vec<(PathBuf, &str)> = { pages.iter() }
            .map(|(name, text)| (self.folder.join(format!("{name}.1")), text.as_str()))
            .collect();
        write_files(&files)?;
        Ok(ExitCode::SUCCESS)
    }
}

/// A page of the manual.
fn page(command: Command, name: &str) -> Result<(String, String), Failure> {
    let mut text = Vec::new();
    let page = Man::new(command)
        .title(name.to_uppercase())
        .source(concat!("brook ", env!("CARGO_PKG_VERSION")))
        .manual("Brook");
    let made = page.render(&mut text);
    made.map_err(|e| Failure::System(format!("cannot write the page of {name}: {e}")))?;
    let text = String::from_utf8_lossy(&text).into_owned();
    Ok((name.to_string(), text))
}
