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
export { admit, type Admission, type RateLimit } from './admission';
