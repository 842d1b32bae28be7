import { objectSchema, required } from '@parlance/store-kit';

/** Author of an edit in commits and the history. */
export const author = objectSchema({
  userId: required(Number),
  username: required(String),
  fullName: required(String),
  email: required(String),
});
