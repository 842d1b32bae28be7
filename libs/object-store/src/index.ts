export { checkS3, S3ObjectStore, type S3Options } from './s3-object-store';
export { checkKey, ObjectMissingError, type ByteSlice, type ObjectInfo, type ObjectStore } from './object-store';
