import { asServiceError } from '../app/repository/with-repository';

/** Maps git failures to errors of the contract. */
export async function mapGitErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asServiceError(error);
  }
}
