export { connectRedis, redisDependency, type Redis } from './connect';
export { bumpGeneration, generationKey, generationNames, type GenerationName } from './generations';
export { admit, type Admission, type RateLimit } from './admission';
