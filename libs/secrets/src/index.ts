export { looksSealed, SecretBox } from './secret-box';
