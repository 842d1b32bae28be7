// The dashboards of Grafana, checked against the types of the version in ../compose.yaml.
import { api } from './api.mjs';
import { events } from './events.mjs';
import { git } from './git.mjs';
import { overview } from './overview.mjs';
import { service } from './service.mjs';
import { stores } from './stores.mjs';
import { DATASOURCE } from './panels.mjs';

const HEIGHT = 8;
const ABSOLUTE = /** @type {import('@grafana/schema').ThresholdsMode} */ ('absolute');
const HIDDEN = /** @type {import('@grafana/schema').VariableHide} */ (2);

/** Places panels from left to right in rows. */
function placed(panels) {
  let [x, y, rowHeight] = [0, 0, 0];
  return panels.map((panel, index) => {
    const height = panel.type === 'stat' ? HEIGHT / 2 : HEIGHT;
    if (x + panel.width > 24) [x, y, rowHeight] = [0, y + rowHeight, 0];
    const gridPos = { x, y, w: panel.width, h: height };
    x += panel.width;
    rowHeight = Math.max(rowHeight, height);
    return toPanel(panel, index + 1, gridPos);
  });
}

function toPanel({ type, title, unit, queries, thresholds = [], stack = false, max }, id, gridPos) {
  const steps = thresholds.length > 0 ? thresholds : [{ color: 'blue', value: null }];
  return /** @satisfies {import('@grafana/schema').Panel} */ ({
    id,
    type,
    title,
    gridPos,
    datasource: DATASOURCE,
    fieldConfig: {
      defaults: {
        unit,
        min: 0,
        ...(max === undefined ? {} : { max }),
        ...(type === 'stat'
          ? { thresholds: { mode: ABSOLUTE, steps } }
          : {
              custom: {
                fillOpacity: stack ? 30 : 5,
                showPoints: 'never',
                stacking: { mode: stack ? 'normal' : 'none' },
              },
            }),
      },
      overrides: [],
    },
    options:
      type === 'stat'
        ? {
            reduceOptions: { calcs: ['lastNotNull'], fields: '', values: false },
            colorMode: 'background',
            graphMode: 'none',
          }
        : {
            legend: { displayMode: 'list', placement: 'bottom', showLegend: true },
            tooltip: { mode: 'multi', sort: 'desc' },
          },
    targets: queries.map(([expr, legendFormat], index) => ({
      refId: String.fromCharCode(65 + index),
      datasource: DATASOURCE,
      expr,
      ...(legendFormat === '' ? {} : { legendFormat }),
      ...(expr.includes('histogram_quantile') ? { exemplar: true } : {}),
      range: true,
    })),
  });
}

/** @satisfies {import('@grafana/schema').VariableModel} */
const datasource = { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus', hide: HIDDEN };

const toDashboard = ({ uid, title, panels, variables = [] }) =>
  /** @satisfies {import('@grafana/schema').Dashboard} */ ({
    uid,
    title,
    tags: ['parlance'],
    schemaVersion: 39,
    version: 1,
    editable: false,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    templating: {
      list: [datasource, ...variables],
    },
    links: [
      {
        type: 'dashboards',
        title: 'Parlance',
        icon: 'apps',
        tooltip: 'Other dashboards of Parlance',
        tags: ['parlance'],
        asDropdown: true,
        includeVars: true,
        keepTime: true,
        targetBlank: false,
      },
    ],
    panels: placed(panels),
  });

/** The dashboards in Grafana's format. */
export const dashboards = [overview, api, git, events, stores, service].map(toDashboard);
