import { type ServiceName, loadService } from '@parlance/contracts';
import { ServiceError } from '@parlance/errors';
import { type Implementation, type RunningServer, serve } from '@parlance/grpc-kit';

export const SECRET = 'a secret of tests that is long enough';

/** A gRPC server that implements some methods of a service; the others are unimplemented. */
export async function standIn<S extends ServiceName>(
  name: S,
  answers: Partial<Implementation<S>>,
): Promise<RunningServer> {
  const implementation: Record<string, unknown> = {};
  for (const method of Object.keys(loadService(name).client.service)) {
    implementation[method[0]!.toLowerCase() + method.slice(1)] = () =>
      Promise.reject(new ServiceError('METHOD_NOT_ALLOWED'));
  }
  return serve({
    name,
    listen: '127.0.0.1:0',
    serviceSecret: SECRET,
    implementation: { ...implementation, ...answers } as Implementation<S>,
  });
}
