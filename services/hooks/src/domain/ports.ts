import type { OutgoingEvent } from '@parlance/events';
import type { CallContext } from '@parlance/grpc-kit';
import type { Delivery, DeliveryState } from './outbound/delivery';
import type { AnnouncedChange } from './outbound/message';
import type { Subscription } from './outbound/subscription';

/** A component whose repository matches a notification. */
export interface ComponentMatch {
  componentId: number;
  projectId: number;
  /** project/category/component */
  path: string;
  branchMatches: boolean;
  /** The branch matches and the project accepts hooks. */
  enabled: boolean;
  /** Secret that the sender must prove; '' for none. */
  secret: string;
}

export interface ProjectInfo {
  id: number;
  slug: string;
  accessControl: number;
  /** Changes to the project require a second factor. */
  enforced2fa: boolean;
  enableHooks: boolean;
  hasSecret: boolean;
}

export interface ComponentInfo {
  id: number;
  projectId: number;
  projectSlug: string;
  path: string;
  restricted: boolean;
  project: ProjectInfo;
}

/** Calls to the catalog. */
export interface CatalogClient {
  /** Components that match by address or name, with the quality of the match; empty branch: any. */
  match(request: { urls: readonly string[]; fullName: string; branch: string }): Promise<ComponentMatch[]>;
  /** One or all components of a project that have their own repository. */
  ofProject(slug: string, path?: string): Promise<ComponentMatch[]>;
  /** Components visible to the caller. */
  components(ids: readonly number[], context: CallContext): Promise<ComponentInfo[]>;
  /** A project, if it is visible to the caller. */
  project(id: number, context: CallContext): Promise<ProjectInfo | undefined>;
  /** Slugs of projects and paths of components, with the permissions of a service. */
  names(
    projectIds: readonly number[],
    componentIds: readonly number[],
  ): Promise<{ projects: Map<number, string>; components: Map<number, string> }>;
}

/** A change in the history. */
export type HistoryEntry = Omit<AnnouncedChange, 'projectSlug' | 'componentPath'>;

/** Client of the history, which the translation service stores. */
export interface HistoryClient {
  /** A page of changes since a time, newest first. */
  since(request: {
    projectId: number;
    componentId: number;
    actions: readonly number[];
    afterMs: number;
    page: number;
    pageSize: number;
  }): Promise<HistoryEntry[]>;
}

/** A component to pull because of a delivery. */
export interface Pull {
  componentId: number;
  projectId: number;
  path: string;
  taskId: string;
  /** The project's secret proved the delivery. */
  verified: boolean;
}

/** A notification that started pulls. */
export interface InboundDelivery {
  id: string;
  /** A provider's id, or `update` for the deprecated addresses. */
  provider: string;
  providerDeliveryId: string;
  /** Equal for repetitions of a delivery; '' if they cannot be detected. */
  fingerprint: string;
  /** Digest of the signed text, for signatures that do not expire; absent for other proofs. */
  signedDigest?: string;
  receivedMs: number;
  sourceAddress: string;
  branches: string[];
  fullName: string;
  repositoryMatches: number;
  branchMatches: number;
  enabledMatches: number;
  pulls: Pull[];
}

/** Stores inbound deliveries that started pulls, for 30 days. */
export interface InboundStore {
  /** The delivery with this fingerprint. */
  find(fingerprint: string): Promise<InboundDelivery | undefined>;
  /** A delivery with this signed content that was received after a time. */
  findSigned(digest: string, afterMs: number): Promise<InboundDelivery | undefined>;
  /**
   * Records a trigger for each component. @returns those without a recent trigger; with concurrent calls one replica gets each.
   */
  noteTriggers(componentIds: readonly number[], quietMs: number): Promise<Set<number>>;
  /** Stores a delivery with its events. False if one with the same fingerprint exists. */
  add(delivery: InboundDelivery, events: OutgoingEvent[]): Promise<boolean>;
  get(id: string): Promise<InboundDelivery | undefined>;
  /** Deliveries that touched a project (0: any), newest first. */
  ofProject(projectId: number, skip: number, limit: number): Promise<{ deliveries: InboundDelivery[]; total: number }>;
}

/** Thrown by a conditional write that lost the race against another write. */
export class StaleError extends Error {}

export interface SubscriptionStore {
  get(id: number): Promise<Subscription | undefined>;
  ofAddon(addonId: number): Promise<Subscription | undefined>;
  /** Subscriptions of a project (0 for the site), ordered by id. */
  list(projectId: number, skip: number, limit: number): Promise<{ subscriptions: Subscription[]; total: number }>;
  /** Enabled subscriptions that may select changes of these projects, including site-wide ones. */
  listInterested(projectIds: readonly number[]): Promise<Subscription[]>;
  /** Stores a new subscription and allocates its id. */
  add(subscription: Omit<Subscription, 'id' | 'version'>): Promise<Subscription>;
  /** @throws StaleError unless the stored version equals that of the subscription */
  replace(subscription: Subscription): Promise<Subscription>;
  /** Advances the time up to which changes were processed. */
  markSeen(id: number, timeMs: number): Promise<void>;
  noteAttempt(id: number, succeeded: boolean, timeMs: number): Promise<void>;
  /** Removes a subscription with its pending deliveries. */
  remove(id: number): Promise<void>;
  /** Removes the subscriptions of a project or component. */
  removeOf(place: { projectId: number } | { componentId: number }): Promise<void>;
}

/** Selects deliveries. */
export interface DeliveryFilter {
  /** 0: of all subscriptions. */
  subscriptionId: number;
  state?: DeliveryState | undefined;
}

export interface DeliveryStore {
  /** Stores new deliveries. Idempotent per subscription and change. */
  add(deliveries: readonly Delivery[]): Promise<void>;
  get(id: string): Promise<Delivery | undefined>;
  /** Newest first. */
  list(filter: DeliveryFilter, skip: number, limit: number): Promise<{ deliveries: Delivery[]; total: number }>;
  /** Leases the delivery that has been due longest until the given time and counts the attempt. */
  claim(now: number, untilMs: number): Promise<Delivery | undefined>;
  finish(
    id: string,
    attempts: number,
    outcome: Pick<Delivery, 'state' | 'lastStatus' | 'lastError' | 'nextAttemptMs'>,
  ): Promise<void>;
  /** Makes a delivery due now and resets its attempts. */
  retry(id: string, now: number): Promise<Delivery | undefined>;
  remove(id: string): Promise<boolean>;
}

/** Encrypts secrets at rest. */
export interface Secrets {
  seal(text: string): string;
  open(sealed: string): string;
}
