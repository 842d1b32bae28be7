/** A notification on its way to a user. */
export interface Mail {
  id: number;
  /** What it is about (change and user); the same is never mailed twice. */
  key: string;
  userId: number;
  to: string;
  subject: string;
  body: string;
  state: 'waiting' | 'sent' | 'failed' | 'kept';
  createdMs: number;
  /** When it is to be sent. */
  dueMs: number;
  sentMs: number;
  attempts: number;
  error: string;
  notification: string;
  frequency: number;
}
