//! Features that the judge's crates are built with: their default ones, those that the target names, and what these turn on in
//! each other. A program that has more of them on than that brings the crate itself.

use super::offers;
use super::project::Project;
use super::target::Target;
use cargo_metadata::Dependency;
use std::collections::{BTreeMap, BTreeSet};

/// Stands for the crate itself, beside its features.
const CRATE: &str = "";

/// Features on at the judge's, found from one to the next.
struct Judge<'p> {
    project: &'p Project,
    /// By number of the crate.
    on: Vec<BTreeSet<&'p str>>,
    todo: Vec<(usize, &'p str)>,
    /// Features of a dependency that are on if it is there at all.
    weak: Vec<(usize, &'p str)>,
}

impl<'p> Judge<'p> {
    fn settle(&mut self) {
        while let Some((krate, feature)) = self.todo.pop() {
            if self.on[krate].insert(feature) {
                self.turned_on(krate, feature);
            }
            if self.todo.is_empty() {
                let on = &self.on;
                let (there, rest) = self
                    .weak
                    .iter()
                    .partition(|(below, _)| on[*below].contains(CRATE));
                (self.todo, self.weak) = (there, rest);
            }
        }
    }

    fn turned_on(&mut self, krate: usize, feature: &'p str) {
        let declared = &self.project.crates[krate].declared;
        if feature == CRATE {
            let needs = declared.needs.iter().filter(|need| !need.optional);
            let names: BTreeSet<&str> = needs.map(name_of).collect();
            names.into_iter().for_each(|name| self.ask(krate, name));
            return;
        }
        self.todo.push((krate, CRATE));
        for value in declared.features.get(feature).into_iter().flatten() {
            if let Some(name) = value.strip_prefix("dep:") {
                self.ask(krate, name);
            } else if let Some((name, of)) = value.split_once('/') {
                let needed = name.trim_end_matches('?');
                let below: Vec<usize> = self.below(krate, needed).collect();
                let of = below.into_iter().map(|below| (below, of));
                if needed != name {
                    self.weak.extend(of);
                    continue;
                }
                self.todo.extend(of);
                self.ask(krate, needed);
                if declared.features.contains_key(needed) {
                    self.todo.push((krate, needed));
                }
            } else {
                self.todo.push((krate, value));
            }
        }
    }

    /// A dependency is there, with the features it is declared with.
    fn ask(&mut self, krate: usize, name: &str) {
        let project = self.project;
        let below: Vec<usize> = self.below(krate, name).collect();
        let needs = project.crates[krate].declared.needs.iter();
        for need in needs.filter(|need| name_of(need) == name) {
            let features = need.features.iter().map(String::as_str);
            let default = need.uses_default_features.then_some("default");
            for feature in features.chain(default).chain([CRATE]) {
                self.todo.extend(below.iter().map(|below| (*below, feature)));
            }
        }
    }

    /// Crates of the project that a dependency of this name is.
    fn below(&self, krate: usize, name: &str) -> impl Iterator<Item = usize> + use<'p> {
        let project = self.project;
        let above = &project.crates[krate];
        let needs = above.declared.needs.iter();
        let named = needs.filter(|need| name_of(need) == name);
        let packages: BTreeSet<&str> = named.map(|need| need.name.as_str()).collect();
        let is_one = move |below: &usize| {
            let package = project.crates[*below].package.rsplit_once(' ');
            package.is_some_and(|(name, _)| packages.contains(name))
        };
        above.deps.values().copied().filter(is_one)
    }
}

/// What features call a dependency.
fn name_of(need: &Dependency) -> &str {
    need.rename.as_ref().unwrap_or(&need.name)
}

/// Crates that the judge offers and the program has more features of, by name, with these.
pub fn beyond(project: &Project, target: &Target) -> BTreeMap<String, Vec<String>> {
    let crates = &project.crates;
    let offered = || (0..crates.len()).filter(|krate| offers::has(&target.crates, project, *krate));
    let mut judge = Judge {
        project,
        on: vec![BTreeSet::new(); crates.len()],
        todo: Vec::new(),
        weak: Vec::new(),
    };
    for krate in offered() {
        let named = target.features.get(&crates[krate].name);
        // Names of the project are as long as it is: the target's are looked up there.
        let of = |name: &String| crates[krate].declared.features.get_key_value(name);
        let named = named
            .into_iter()
            .flatten()
            .filter_map(of)
            .map(|(name, _)| name.as_str());
        judge
            .todo
            .extend(named.chain(["default", CRATE]).map(|feature| (krate, feature)));
    }
    judge.settle();
    let more = offered().filter_map(|krate| {
        let on = &judge.on[krate];
        // A name for others that are on adds nothing.
        let is_alias = |name: &String| {
            let values = crates[krate].declared.features.get(name);
            values.is_some_and(|all| !all.is_empty() && all.iter().all(|value| on.contains(value.as_str())))
        };
        let features = crates[krate].known.features.iter();
        let more = features.filter(|name| !on.contains(name.as_str()) && !is_alias(name));
        let more: Vec<String> = more.cloned().collect();
        (!more.is_empty()).then(|| (crates[krate].name.clone(), more))
    });
    more.collect()
}

/// What is said of those that are in the file, by name.
pub fn note(more: &BTreeMap<String, Vec<String>>, inlined: &BTreeSet<&str>) -> Option<String> {
    let of = more.iter().filter(|(name, _)| inlined.contains(name.as_str()));
    let list: Vec<String> = of
        .map(|(name, features)| format!("{name} ({})", features.join(", ")))
        .collect();
    (!list.is_empty()).then(|| {
        format!(
            "inlined though the judge has it, as features of it are not known to be on there: {}; `features` of a target \
             file says which are",
            list.join(", ")
        )
    })
}
