import { Payload, PayloadError } from '../payload';
import { branchOf, push, type Provider } from '../push';
import { sameText } from '../signature';

/** Organization in a repository's cloud address; '' for a self-hosted server. @throws PayloadError */
function organisationOf(remoteUrl: string): string {
  if (!URL.canParse(remoteUrl)) return '';
  const { hostname, pathname } = new URL(remoteUrl);
  if (hostname === 'dev.azure.com') {
    try {
      return decodeURIComponent(pathname.split('/')[1] ?? '');
    } catch (error) {
      if (!(error instanceof URIError)) throw error;
      throw new PayloadError('resource.repository.remoteUrl is no valid address.', { cause: error });
    }
  }
  return /^([a-z0-9-]+)\.visualstudio\.com$/i.exec(hostname)?.[1] ?? '';
}

/** Addresses of a cloud repository, with plain and encoded names. */
function cloudUrls(organisation: string, project: string, repository: string): string[] {
  const paths = new Set([
    `${project}/_git/${repository}`,
    `${encodeURIComponent(project)}/_git/${encodeURIComponent(repository)}`,
  ]);
  const keys = new Set([
    `${organisation}/${project}/${repository}`,
    `${organisation}/${encodeURIComponent(project)}/${encodeURIComponent(repository)}`,
  ]);
  const web = [...paths].flatMap((path) => [
    `https://dev.azure.com/${organisation}/${path}`,
    `https://${organisation}@dev.azure.com/${organisation}/${path}`,
    `https://${organisation}.visualstudio.com/${path}`,
    `https://${organisation}.visualstudio.com/DefaultCollection/${path}`,
  ]);
  const ssh = [...keys].flatMap((key) => [
    `git@ssh.dev.azure.com:v3/${key}`,
    `${organisation}@vs-ssh.visualstudio.com:v3/${key}`,
  ]);
  return [...web, ...ssh];
}

/**
 * https://learn.microsoft.com/en-us/azure/devops/service-hooks/events#git.push . The subscription must send all resource details:
 * with less, the repository is not in the payload.
 */
export const azure: Provider = {
  id: 'azure',
  name: 'Azure DevOps',

  parse({ data }) {
    const payload = Payload.of(data);
    if (payload.at('eventType').text !== 'git.push') return null;
    const repository = payload.at('resource', 'repository').needed();
    const project = repository.at('project');
    const remoteUrl = repository.at('remoteUrl').neededText;
    const organisation = organisationOf(remoteUrl);
    const names = [project.at('name').neededText, project.at('id').text] as const;
    const titles = [repository.at('name').neededText, repository.at('id').text] as const;
    const urls = [remoteUrl];
    if (organisation) {
      urls.push(...cloudUrls(organisation, names[0], titles[0]));
      if (names[1] && titles[1]) urls.push(...cloudUrls(organisation, names[1], titles[1]));
    }
    const branches = payload.at('resource', 'refUpdates').items.map((update) => branchOf(update.at('name').text));
    if (branches.every((b) => b === '')) throw new PayloadError('"resource.refUpdates" is missing from the payload.');
    return push(branches, titles[0], urls);
  },

  // Service hooks support only basic authentication; the user name is ignored.
  verifySecret({ headers }, secret) {
    const [scheme = '', credentials = ''] = (headers['authorization'] ?? '').split(' ');
    if (scheme.toLowerCase() !== 'basic') return false;
    const text = Buffer.from(credentials, 'base64').toString('utf8');
    return sameText(text.slice(text.indexOf(':') + 1), secret);
  },

  deliveryId({ data }) {
    const payload = Payload.of(data);
    return payload.at('id').text && `${payload.at('subscriptionId').text}:${payload.at('id').text}`;
  },
};
