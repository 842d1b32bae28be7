// Which series exist: those of the table of metrics, of prom-client's defaults, of Prometheus itself, and of recording rules.
import { rules } from './rules.mjs';

/**
 * Names of all series.
 *
 * @param {Readonly<Record<string, { type: string }>>} definitions the table of metrics
 * @param {{ getMetricsAsArray(): { name: string, type: unknown }[] }} registry the registry of prom-client
 */
export const knownSeries = (definitions, registry) =>
  new Set([
    'up',
    ...Object.entries(definitions).flatMap(([name, { type }]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
    ...registry
      .getMetricsAsArray()
      .flatMap(({ name, type }) => [
        name,
        `${name.replace(/_total$/, '')}_total`,
        ...(String(type) === 'histogram' ? [`${name}_sum`, `${name}_count`] : []),
      ]),
    ...rules.groups.flatMap((group) => group.rules.flatMap(({ record }) => record ?? [])),
  ]);
