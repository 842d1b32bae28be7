import { z } from 'zod';
import { anyObject, text } from '../../responses/schema';

/** The configuration of each machine translation engine, by its name. */
export const machinerySchema = z.record(z.string(), anyObject);

export const messageSchema = z.strictObject({ message: text }).meta({ id: 'Message' });
