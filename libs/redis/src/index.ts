export { connectContents } from './connect-contents';
export { connectRedis, redisDependency, type Redis } from './connect';
export {
  bumpGeneration,
  generationKey,
  generationNames,
  makeGenerations,
  readGeneration,
  type GenerationName,
  type Generations,
} from './generations';
export { beginGeneration, ContentGenerations, type ContentPlace, type ContentScope } from './content-generations';
export { admit, type Admission, type RateLimit } from './admission';
