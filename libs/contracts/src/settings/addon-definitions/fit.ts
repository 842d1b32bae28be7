import type { AddonDefinition } from './definition';

/** Properties of a component that decide whether an add-on fits. */
export interface AddonTarget {
  readonly fileFormat: string;
  readonly template: string;
  readonly newBase: string;
  readonly editTemplate: boolean;
  readonly vcs: string;
  /** The component shares the repository of another component. */
  readonly linked: boolean;
}

/** Reason why an add-on does not fit a component, or null. Requirements on files in the repository are not checked. */
export function addonMisfit(definition: AddonDefinition, target: AddonTarget): string | null {
  const { formats, monolingualOr, versionControls, ownRepository, editTemplate, newBase } = definition.fits;
  if (formats && !formats.includes(target.fileFormat))
    return `The add-on supports only the file formats ${formats.join(', ')}.`;
  if (monolingualOr && !target.template && !monolingualOr.includes(target.fileFormat))
    return 'The add-on supports only monolingual components.';
  if (versionControls && !versionControls.includes(target.vcs))
    return `The add-on supports only the repository types ${versionControls.join(', ')}.`;
  if (ownRepository && target.linked)
    return 'The component uses the repository of another component. Install the add-on in that component.';
  if (editTemplate && !target.editTemplate)
    return 'The add-on requires a base file that can be edited (edit_template).';
  if (newBase && !target.newBase) return 'The add-on requires a template for new translations (new_base).';
  return null;
}
