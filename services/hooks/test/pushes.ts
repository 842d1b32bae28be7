import * as payloads from './payloads';

export const githubPushHeaders = { 'x-github-event': 'push' };

/** Pushes by host: id of the host, name of the case, payload, headers, and what is read from them. */
export const pushes: [
  string,
  string,
  object,
  Record<string, string>,
  { branches: string[]; fullName: string; urls: string[] },
][] = [
  [
    'github',
    'a push',
    payloads.githubPush,
    githubPushHeaders,
    {
      branches: ['main'],
      fullName: 'octo-org/octo-repo',
      urls: [
        'https://github.com/octo-org/octo-repo.git',
        'https://github.com/octo-org/octo-repo',
        'git@github.com:octo-org/octo-repo.git',
        'git://github.com/octo-org/octo-repo.git',
      ],
    },
  ],
  [
    'github',
    'the retired services',
    payloads.githubService,
    githubPushHeaders,
    {
      branches: ['master'],
      fullName: 'defunkt/github',
      urls: [
        'http://github.com/defunkt/github',
        'https://github.com/defunkt/github.git',
        'git@github.com:defunkt/github.git',
        'git://github.com/defunkt/github',
      ],
    },
  ],
  [
    'gitlab',
    'a push',
    payloads.gitlabPush,
    {},
    {
      branches: ['develop'],
      fullName: 'group/sub/diaspora',
      urls: [
        'git@gitlab.example.com:group/sub/diaspora.git',
        'http://gitlab.example.com/group/sub/diaspora.git',
        'http://gitlab.example.com/group/sub/diaspora',
      ],
    },
  ],
  [
    'gitlab',
    'an old push',
    payloads.gitlabOld,
    {},
    {
      branches: ['master'],
      fullName: '',
      urls: [
        'git@gitlab.example.com:mike/diaspora.git',
        'http://gitlab.example.com/mike/diaspora',
        'http://gitlab.example.com/mike/diaspora.git',
      ],
    },
  ],
  [
    'bitbucket',
    'a push to Cloud with several branches',
    payloads.bitbucketCloudPush,
    { 'x-event-key': 'repo:push' },
    {
      branches: ['release', 'gone'],
      fullName: 'team_name/repo_name',
      urls: [
        'https://bitbucket.org/team_name/repo_name.git',
        'ssh://git@bitbucket.org/team_name/repo_name.git',
        'git@bitbucket.org:team_name/repo_name.git',
      ],
    },
  ],
  [
    'bitbucket',
    'a merge on Cloud',
    payloads.bitbucketCloudMerge,
    { 'x-event-key': 'pullrequest:fulfilled' },
    {
      branches: ['main'],
      fullName: 'team_name/repo_name',
      urls: ['https://bitbucket.org/team_name/repo_name'],
    },
  ],
  [
    'bitbucket',
    'a push to Data Center',
    payloads.bitbucketServerPush,
    { 'x-event-key': 'repo:refs_changed' },
    {
      branches: ['master'],
      fullName: 'PROJ/repository',
      urls: [
        'https://bitbucket.example.com/scm/proj/repository.git',
        'ssh://git@bitbucket.example.com:7999/proj/repository.git',
      ],
    },
  ],
  [
    'bitbucket',
    'a merge on Data Center',
    payloads.bitbucketServerMerge,
    { 'x-event-key': 'pr:merged' },
    { branches: ['master'], fullName: 'PROJ/repository', urls: [] },
  ],
  [
    'bitbucket',
    'the retired POST service',
    payloads.bitbucketPost,
    {},
    {
      branches: ['master'],
      fullName: 'marcus/project-x',
      urls: ['https://bitbucket.org/marcus/project-x.git', 'git@bitbucket.org:marcus/project-x.git'],
    },
  ],
  [
    'bitbucket',
    'a synchronized mirror of Data Center',
    { ...payloads.bitbucketServerPush, eventKey: 'mirror:repo_synchronized', syncType: 'incremental' },
    { 'x-event-key': 'mirror:repo_synchronized' },
    { branches: ['master'], fullName: 'PROJ/repository', urls: ['https://bitbucket.example.com/scm/proj/repository'] },
  ],
  [
    'bitbucket',
    'the retired POST service of the server',
    payloads.bitbucketServerPost,
    {},
    { branches: ['master'], fullName: 'IR/iridium-parent', urls: [] },
  ],
  [
    'gitea',
    'a push',
    payloads.giteaPush,
    { 'x-gitea-event': 'push' },
    {
      branches: ['develop'],
      fullName: 'gitea/webhooks',
      urls: [
        'http://localhost:3000/gitea/webhooks.git',
        'http://localhost:3000/gitea/webhooks',
        'ssh://gitea@localhost:2222/gitea/webhooks.git',
      ],
    },
  ],
  [
    'forgejo',
    'a push',
    payloads.giteaPush,
    { 'x-forgejo-event': 'push', 'x-gitea-event': 'push' },
    { branches: ['develop'], fullName: 'gitea/webhooks', urls: ['http://localhost:3000/gitea/webhooks.git'] },
  ],
  [
    'gitee',
    'a push',
    payloads.giteePush,
    { 'x-gitee-event': 'Push Hook' },
    {
      branches: ['master'],
      fullName: 'oschina/gitee',
      urls: [
        'https://gitee.com/oschina/gitee.git',
        'git@gitee.com:oschina/gitee.git',
        'https://gitee.com/oschina/gitee',
      ],
    },
  ],
  [
    'pagure',
    'a push to a fork',
    payloads.pagurePush,
    {},
    {
      branches: ['main'],
      fullName: 'forks/pingou/fedora-infra',
      urls: [
        'https://pagure.example.org/forks/pingou/fedora-infra',
        'https://pagure.example.org/forks/pingou/fedora-infra.git',
        'ssh://git@pagure.example.org/forks/pingou/fedora-infra.git',
      ],
    },
  ],
  [
    'azure',
    'a push',
    payloads.azurePush,
    {},
    {
      branches: ['main'],
      fullName: 'Fabrikam Git',
      urls: [
        'https://fabrikam@dev.azure.com/fabrikam/Fabrikam%20Fiber/_git/Fabrikam%20Git',
        'https://dev.azure.com/fabrikam/Fabrikam Fiber/_git/Fabrikam Git',
        'https://dev.azure.com/fabrikam/6ce954b1-ce1f-45d1-b94d-e6bf2464ba2c/_git/278d5cd2-584d-4b63-824a-2ba458937249',
        'https://fabrikam.visualstudio.com/Fabrikam%20Fiber/_git/Fabrikam%20Git',
        'git@ssh.dev.azure.com:v3/fabrikam/Fabrikam%20Fiber/Fabrikam%20Git',
      ],
    },
  ],
];
