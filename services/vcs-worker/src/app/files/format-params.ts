import { fieldOf, formatParamSettings } from '@parlance/contracts';
import type { FormatParams, MergeOptions, PluralInfo } from '@parlance/formats';
import type { Component } from '../../domain/component';

/** Format parameters of a component. */
export function formatParams(component: Component): FormatParams {
  return JSON.parse(component.settings.fileFormatParamsJson || '{}') as FormatParams;
}

/**
 * Options for updating gettext files from their template, from the component's format parameters.
 * @param own options of an add-on, which take precedence
 */
export function mergeOptions(
  component: Component,
  plural: PluralInfo | undefined,
  own: Readonly<Record<string, unknown>> = {},
): MergeOptions {
  const params = formatParams(component);
  const wanted = (name: string, param: 'po_keep_previous' | 'po_no_location' | 'po_fuzzy_matching'): boolean => {
    const given = own[name] ?? params[param] ?? fieldOf(formatParamSettings, param)?.default;
    return given === true;
  };
  return {
    previous: wanted('previous', 'po_keep_previous'),
    noLocation: wanted('no_location', 'po_no_location'),
    fuzzy: wanted('fuzzy', 'po_fuzzy_matching'),
    ...(params.po_line_wrap === undefined ? {} : { lineWrap: params.po_line_wrap }),
    ...(plural ? { plural } : {}),
  };
}
