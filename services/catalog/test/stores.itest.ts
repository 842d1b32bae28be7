import { connectMongo, type Mongo } from '@parlance/store-kit';
import { randomBytes } from 'node:crypto';
import { MongoAgreementStore } from '../src/store/agreement-store';
import { MongoCategoryStore } from '../src/store/category-store';
import { MongoComponentStore } from '../src/store/component-store';
import { MongoLanguageStore } from '../src/store/language-store';
import { MongoMaintenanceStore } from '../src/store/maintenance-store';
import { ensureIndexes, makeModels } from '../src/store/models';
import { MongoProjectStore } from '../src/store/project-store';
import { MongoAddonStore, MongoComponentListStore, MongoLabelStore } from '../src/store/small-stores';
import { engines } from './support/engines';
import { storeContract } from './support/store-contract';

describe('the stores on Mongo', () => {
  let mongo: Mongo;

  storeContract(async () => {
    const { mongodbUri } = await engines(`catalog_${randomBytes(4).toString('hex')}`);
    mongo = await connectMongo(mongodbUri);
    const models = makeModels(mongo.connection);
    await ensureIndexes(models);
    const components = new MongoComponentStore(models.nodes);
    return {
      projects: new MongoProjectStore(models.projects),
      components,
      categories: new MongoCategoryStore(models.nodes, models.projects, components),
      labels: new MongoLabelStore(models.labels),
      lists: new MongoComponentListStore(models.lists),
      addons: new MongoAddonStore(models.addons),
      agreements: new MongoAgreementStore(models.agreements),
      maintenance: new MongoMaintenanceStore(models.maintenance),
      languages: new MongoLanguageStore(models.languages),
    };
  });

  afterAll(async () => {
    await mongo.connection.dropDatabase();
    await mongo.connection.close();
  });
});
