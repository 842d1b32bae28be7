import type { translation as proto } from '@parlance/contracts';
import type { Change } from '../domain/change';
import type { Component } from '../domain/component';
import type { PendingGroup } from '../domain/pending';
import type { RecentScope } from '../domain/ports';
import type { Translation } from '../domain/translation';
import type { Unit } from '../domain/unit';
import { authorToProto, countersToProto, languageFromProto, languageToProto } from '../proto/common';

export function translationToProto(t: Translation): proto.Translation {
  return {
    id: t.id,
    componentId: t.component,
    projectId: t.project,
    languageCode: t.language.code,
    fileLanguageCode: t.fileLanguageCode,
    filename: t.filename,
    revision: t.revision,
    isTemplate: t.isTemplate,
    isSource: t.isSource,
    counters: countersToProto(t.counters),
    version: t.version,
    language: languageToProto(t.language),
  };
}

/** The type makes the compiler name a field that is left out. */
export function unitToProto(u: Unit): Required<proto.Unit> {
  return {
    id: u.id,
    translationId: u.translation,
    componentId: u.component,
    projectId: u.project,
    languageCode: u.language,
    source: u.source,
    target: u.target,
    previousSource: u.previousSource,
    idHash: u.key,
    contentHash: u.contentHash,
    location: u.location,
    context: u.context,
    note: u.note,
    flags: u.flags,
    labelIds: u.labels,
    state: u.state,
    position: u.position,
    hasSuggestion: u.suggestions > 0,
    hasComment: u.comments > 0,
    checks: u.checks,
    numWords: u.words,
    sourceUnitId: u.sourceUnit,
    priority: u.priority,
    explanation: u.explanation,
    extraFlags: u.extraFlags,
    pending: u.edits.length > 0,
    createdMs: u.created,
    updatedMs: u.updated,
    version: u.version,
    isSource: u.isSource,
  };
}

export function changeToProto(c: Change): proto.Change {
  return {
    id: c.id,
    action: c.action,
    timeMs: c.time,
    projectId: c.project,
    componentId: c.component,
    translationId: c.translation,
    unitId: c.unit,
    languageCode: c.language,
    userId: c.user,
    authorId: c.author,
    target: c.target,
    old: c.old,
    detailsJson: JSON.stringify(c.details),
  };
}

export function recentScopeFromProto(s: proto.RecentScope__Output): RecentScope {
  return {
    filter: {
      translation: s.translationId,
      project: s.projectId,
      language: s.languageCode,
      excludedComponents: s.excludedComponentIds,
      excludedProjects: s.excludedProjectIds,
    },
    components: s.componentIds,
    lastChange: s.lastChangeMs,
  };
}

export function groupToProto(group: PendingGroup, translation: Translation): proto.PendingGroup {
  return {
    translationId: translation.id,
    filename: translation.filename,
    languageCode: translation.fileLanguageCode,
    languageName: translation.language.name,
    pluralNumber: translation.language.pluralNumber,
    pluralFormula: translation.language.pluralFormula,
    author: authorToProto(group.author),
    round: group.round,
    units: group.edits.length + group.removals.length,
    removals: group.removals.length,
    oldestMs: group.oldest,
  };
}

/** A component with the settings that a repository operation overrides. */
export function componentFromProto(info: proto.ComponentInfo__Output, known: Component): Component {
  return {
    ...known,
    fileFormat: info.fileFormat || known.fileFormat,
    template: info.template,
    sourceLanguage: info.sourceLanguage ? languageFromProto(info.sourceLanguage) : known.sourceLanguage,
    sourceReview: info.sourceReview,
    keyFilter: info.keyFilter,
    commitPolicy: info.commitPolicy,
  };
}
