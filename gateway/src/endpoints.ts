import type { Endpoint } from './http/endpoint';
import { componentEndpoints } from './routes/components';
import { hookEndpoints } from './routes/hooks';
import { otherEndpoints } from './routes/others';
import { projectEndpoints } from './routes/projects';
import { translationEndpoints } from './routes/translations';
import { unitEndpoints } from './routes/units';

/** The table of the whole public API. */
export const endpoints: readonly Endpoint[] = [...otherEndpoints, ...projectEndpoints, ...componentEndpoints, ...translationEndpoints, ...unitEndpoints, ...hookEndpoints];
