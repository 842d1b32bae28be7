import { loadService, type ServiceName } from '@parlance/contracts';
import { ServiceError } from '@parlance/errors';
import { serve, type Implementation, type RunningServer } from '@parlance/grpc-kit';

/** A gRPC service with some of its methods; the others fail as unavailable. */
export async function standIn<S extends ServiceName>(
  name: S,
  serviceSecret: string,
  methods: Partial<Implementation<S>>,
): Promise<RunningServer> {
  const all: Record<string, unknown> = {};
  for (const method of Object.keys(loadService(name).client.service)) {
    all[method[0]!.toLowerCase() + method.slice(1)] = () => Promise.reject(new ServiceError('UNAVAILABLE'));
  }
  const implementation = { ...all, ...methods } as Implementation<S>;
  return serve({ name, listen: '127.0.0.1:0', serviceSecret, implementation });
}
