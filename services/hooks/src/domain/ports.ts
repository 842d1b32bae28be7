import type { OutgoingEvent } from '@parlance/events';
import type { CallContext } from '@parlance/grpc-kit';
import type { Delivery } from './outbound/delivery';
import type { AnnouncedChange } from './outbound/message';
import type { Subscription } from './outbound/subscription';

/** A component whose repository matches a notification. */
export interface Match {
  componentId: number;
  projectId: number;
  /** project/category/component */
  path: string;
  branchMatches: boolean;
  /** The branch matches and the project takes hooks. */
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
  /** Components that match by address or name, with how far they match; empty branch: any. */
  match(request: { urls: readonly string[]; fullName: string; branch: string }): Promise<Match[]>;
  /** All components of a project, or one, that have a repository of their own. */
  ofProject(slug: string, path?: string): Promise<Match[]>;
  /** The components that the caller may see. */
  components(ids: readonly number[], context: CallContext): Promise<ComponentInfo[]>;
  /** A project, if the caller may see it. */
  project(id: number, context: CallContext): Promise<ProjectInfo | undefined>;
  /** Slugs of projects and paths of components, as the process sees them. */
  names(
    projectIds: readonly number[],
    componentIds: readonly number[],
  ): Promise<{ projects: Map<number, string>; components: Map<number, string> }>;
}

/** A change as the history has it. */
export type HistoryEntry = Omit<AnnouncedChange, 'projectSlug' | 'componentPath'>;

/** The history of changes, kept by the translation service. */
export interface HistoryClient {
  /** A page of the changes since a time, newest first. */
  since(request: {
    projectId: number;
    componentId: number;
    actions: readonly number[];
    afterMs: number;
    page: number;
    pageSize: number;
  }): Promise<HistoryEntry[]>;
}

/** A component that is pulled because of a delivery. */
export interface Pull {
  componentId: number;
  projectId: number;
  path: string;
  taskId: string;
  /** The project's secret proved the delivery. */
  verified: boolean;
}

/** A notification that led to work. */
export interface InboundDelivery {
  id: string;
  /** A provider's id, or `update` for the deprecated addresses. */
  provider: string;
  providerDeliveryId: string;
  /** Equal for repetitions of a delivery; '' when they cannot be detected. */
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

/** Keeps inbound deliveries that led to work, for 30 days. */
export interface InboundStore {
  /** The delivery with this fingerprint. */
  find(fingerprint: string): Promise<InboundDelivery | undefined>;
  /** A delivery with this signed content that was received after a time. */
  findSigned(digest: string, afterMs: number): Promise<InboundDelivery | undefined>;
  /**
   * Records a trigger for each component. @returns those without a recent trigger; with concurrent calls one replica gets each.
   */
  noteTriggers(componentIds: readonly number[], quietMs: number): Promise<Set<number>>;
  /** Stores a delivery together with its events. False when one with the same fingerprint is there. */
  add(delivery: InboundDelivery, events: OutgoingEvent[]): Promise<boolean>;
  /** Deliveries that touched a project, newest first. */
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
  interested(projectIds: readonly number[]): Promise<Subscription[]>;
  /** Stores a new one and gives it its id. */
  add(subscription: Omit<Subscription, 'id' | 'version'>): Promise<Subscription>;
  /** @throws StaleError unless the stored version is that of the subscription */
  replace(subscription: Subscription): Promise<Subscription>;
  /** Moves the time up to which changes were looked at forward. */
  seen(id: number, timeMs: number): Promise<void>;
  noteAttempt(id: number, succeeded: boolean, timeMs: number): Promise<void>;
  /** Removes a subscription with its pending deliveries. */
  remove(id: number): Promise<void>;
  /** Removes the subscriptions of a project or component. */
  removeOf(place: { projectId: number } | { componentId: number }): Promise<void>;
}

export interface DeliveryStore {
  /** Stores new deliveries. Idempotent per subscription and change. */
  add(deliveries: readonly Delivery[]): Promise<void>;
  get(id: string): Promise<Delivery | undefined>;
  /** Newest first. */
  list(subscriptionId: number, skip: number, limit: number): Promise<{ deliveries: Delivery[]; total: number }>;
  /** Leases the delivery that is due longest until the given time and counts the attempt. */
  claim(now: number, untilMs: number): Promise<Delivery | undefined>;
  finish(
    id: string,
    attempts: number,
    outcome: Pick<Delivery, 'state' | 'lastStatus' | 'lastError' | 'nextAttemptMs'>,
  ): Promise<void>;
  /** Makes it due now, as if it was new. */
  retry(id: string, now: number): Promise<Delivery | undefined>;
  remove(id: string): Promise<boolean>;
}

/** Keeps secrets unreadable at rest. */
export interface Secrets {
  seal(text: string): string;
  open(sealed: string): string;
}
