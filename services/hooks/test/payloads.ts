// Notifications in the documented forms of the providers, reduced to the relevant parts.

export const githubPush = {
  ref: 'refs/heads/main',
  before: '6113728f27ae82c7b1a177c8d03f9e96e0adf246',
  after: '59b20b8d5c6ff8d09518216e87e65a8a2e1f2c53',
  created: false,
  deleted: false,
  forced: false,
  compare: 'https://github.com/octo-org/octo-repo/compare/6113728f27ae...59b20b8d5c6f',
  commits: [
    {
      id: '59b20b8d5c6ff8d09518216e87e65a8a2e1f2c53',
      message: 'Update strings',
      modified: ['locale/cs.po'],
      added: [],
      removed: [],
    },
  ],
  repository: {
    id: 35129377,
    name: 'octo-repo',
    full_name: 'octo-org/octo-repo',
    private: false,
    owner: { name: 'octo-org', login: 'octo-org', id: 6811672 },
    html_url: 'https://github.com/octo-org/octo-repo',
    url: 'https://github.com/octo-org/octo-repo',
    git_url: 'git://github.com/octo-org/octo-repo.git',
    ssh_url: 'git@github.com:octo-org/octo-repo.git',
    clone_url: 'https://github.com/octo-org/octo-repo.git',
    svn_url: 'https://github.com/octo-org/octo-repo',
    default_branch: 'main',
  },
  pusher: { name: 'octocat', email: 'octocat@example.com' },
};

/** Payloads of retired service hooks, sent as the form parameter payload. */
export const githubService = {
  before: '5aef35982fb2d34e9d9d4502f6ede1072793222d',
  ref: 'refs/heads/master',
  commits: [
    {
      id: '41a212ee83ca127e3c8cf465891ab7216a705f59',
      author: { email: 'chris@example.com', name: 'Chris' },
      message: 'okay i give in',
    },
  ],
  repository: {
    url: 'http://github.com/defunkt/github',
    name: 'github',
    owner: { email: 'chris@example.com', name: 'defunkt' },
  },
};

export const githubPing = {
  zen: 'Keep it simple.',
  hook_id: 30,
  hook: { type: 'Repository', events: ['push'] },
  repository: githubPush.repository,
};

export const gitlabPush = {
  object_kind: 'push',
  event_name: 'push',
  before: '95790bf891e76fee5e1747ab589903a6a1f80f22',
  after: 'da1560886d4f094c3e6c9ef40349f7d38b5d27d7',
  ref: 'refs/heads/develop',
  ref_protected: true,
  user_username: 'jsmith',
  project_id: 15,
  project: {
    id: 15,
    name: 'Diaspora',
    web_url: 'http://gitlab.example.com/group/sub/diaspora',
    git_ssh_url: 'git@gitlab.example.com:group/sub/diaspora.git',
    git_http_url: 'http://gitlab.example.com/group/sub/diaspora.git',
    path_with_namespace: 'group/sub/diaspora',
    default_branch: 'develop',
  },
  repository: {
    name: 'Diaspora',
    url: 'git@gitlab.example.com:group/sub/diaspora.git',
    homepage: 'http://gitlab.example.com/group/sub/diaspora',
    git_http_url: 'http://gitlab.example.com/group/sub/diaspora.git',
    git_ssh_url: 'git@gitlab.example.com:group/sub/diaspora.git',
    visibility_level: 0,
  },
  commits: [],
  total_commits_count: 0,
};

/** Versions before 2015 sent only the repository. */
export const gitlabOld = {
  before: '95790bf891e76fee5e1747ab589903a6a1f80f22',
  after: 'da1560886d4f094c3e6c9ef40349f7d38b5d27d7',
  ref: 'refs/heads/master',
  user_id: 4,
  user_name: 'John Smith',
  project_id: 15,
  repository: {
    name: 'Diaspora',
    url: 'git@gitlab.example.com:mike/diaspora.git',
    description: '',
    homepage: 'http://gitlab.example.com/mike/diaspora',
  },
  total_commits_count: 4,
};

export const gitlabPipeline = {
  object_kind: 'pipeline',
  object_attributes: { id: 31, ref: 'master', status: 'success' },
  project: gitlabPush.project,
};

/** A job mentions the reference that it runs for. */
export const gitlabJob = {
  object_kind: 'build',
  ref: 'develop',
  tag: false,
  sha: '2293ada6b400935a1378653304eaf6221e0fdb8f',
  build_id: 1977,
  build_name: 'test',
  build_status: 'created',
  repository: gitlabPush.repository,
  project: gitlabPush.project,
};

export const bitbucketCloudPush = {
  actor: { type: 'user', nickname: 'emma' },
  repository: {
    type: 'repository',
    name: 'repo_name',
    full_name: 'team_name/repo_name',
    scm: 'git',
    links: {
      self: { href: 'https://api.bitbucket.org/2.0/repositories/team_name/repo_name' },
      html: { href: 'https://bitbucket.org/team_name/repo_name' },
    },
  },
  push: {
    changes: [
      {
        new: { type: 'branch', name: 'release' },
        old: { type: 'branch', name: 'release' },
        created: false,
        closed: false,
      },
      { new: null, old: { type: 'branch', name: 'gone' }, created: false, closed: true },
    ],
  },
};

export const bitbucketCloudMerge = {
  repository: bitbucketCloudPush.repository,
  pullrequest: {
    id: 1,
    state: 'MERGED',
    source: { branch: { name: 'feature' } },
    destination: { branch: { name: 'main' } },
  },
};

export const bitbucketServerPush = {
  eventKey: 'repo:refs_changed',
  date: '2017-09-13T22:18:29+1000',
  actor: { name: 'admin', emailAddress: 'admin@example.com', id: 1 },
  repository: {
    slug: 'repository',
    id: 84,
    name: 'repository',
    scmId: 'git',
    project: { key: 'PROJ', id: 84, name: 'project', public: false, type: 'NORMAL' },
    links: {
      clone: [
        { href: 'https://bitbucket.example.com/scm/proj/repository.git', name: 'http' },
        { href: 'ssh://git@bitbucket.example.com:7999/proj/repository.git', name: 'ssh' },
      ],
      self: [{ href: 'https://bitbucket.example.com/projects/PROJ/repos/repository/browse' }],
    },
  },
  changes: [
    {
      ref: { id: 'refs/heads/master', displayId: 'master', type: 'BRANCH' },
      refId: 'refs/heads/master',
      type: 'UPDATE',
    },
  ],
};

export const bitbucketServerMerge = {
  eventKey: 'pr:merged',
  pullRequest: {
    id: 9,
    state: 'MERGED',
    fromRef: {
      id: 'refs/heads/admin/file',
      displayId: 'admin/file',
      repository: { slug: 'repository', project: { key: 'PROJ' } },
    },
    toRef: {
      id: 'refs/heads/master',
      displayId: 'master',
      repository: { slug: 'repository', project: { key: 'PROJ' } },
    },
  },
};

/** The retired POST service, as the form parameter payload. */
export const bitbucketPost = {
  canon_url: 'https://bitbucket.org',
  commits: [{ author: 'marcus', branch: 'master', message: 'Added some more things', node: '620ade18607a' }],
  repository: {
    absolute_url: '/marcus/project-x/',
    fork: false,
    is_private: true,
    name: 'Project X',
    owner: 'marcus',
    scm: 'git',
    slug: 'project-x',
  },
  user: 'marcus',
};

/** The retired POST service of Bitbucket Server, which sends no address. */
export const bitbucketServerPost = {
  repository: {
    slug: 'iridium-parent',
    id: 11,
    name: 'iridium-parent',
    scmId: 'git',
    project: { key: 'IR', id: 21, name: 'Iridium', public: false, type: 'NORMAL', isPersonal: false },
    public: false,
  },
  refChanges: [
    {
      refId: 'refs/heads/master',
      fromHash: '2c847c4e9c2421d038fff26ba82bc859ae6ebe20',
      toHash: 'f259e9032cdeb1e28d073e8a79a1fd6f9587f233',
      type: 'UPDATE',
    },
  ],
  changesets: { size: 1, limit: 100, isLastPage: true, values: [] },
};

export const giteaPush = {
  secret: '3gEsCfjlV2ugRwgpU#w1*WaW*wa4NXgGmpCfkbG3',
  ref: 'refs/heads/develop',
  before: '28e1879d029cb852e4844d9c718537df08844e03',
  after: 'bffeb74224043ba2feb48d137756c8a9331c449a',
  compare_url: 'http://localhost:3000/gitea/webhooks/compare/28e1879d029c...bffeb7422404',
  commits: [{ id: 'bffeb74224043ba2feb48d137756c8a9331c449a', message: 'Webhooks Yay!' }],
  repository: {
    id: 140,
    owner: { id: 1, login: 'gitea', full_name: 'Gitea' },
    name: 'webhooks',
    full_name: 'gitea/webhooks',
    html_url: 'http://localhost:3000/gitea/webhooks',
    ssh_url: 'ssh://gitea@localhost:2222/gitea/webhooks.git',
    clone_url: 'http://localhost:3000/gitea/webhooks.git',
    default_branch: 'master',
  },
};

export const giteePush = {
  hook_name: 'push_hooks',
  password: '',
  ref: 'refs/heads/master',
  project: { path_with_namespace: 'oschina/gitee' },
  repository: {
    name: 'gitee',
    path: 'gitee',
    path_with_namespace: 'oschina/gitee',
    git_http_url: 'https://gitee.com/oschina/gitee.git',
    git_ssh_url: 'git@gitee.com:oschina/gitee.git',
    git_url: 'git://gitee.com/oschina/gitee.git',
    ssh_url: 'git@gitee.com:oschina/gitee.git',
    html_url: 'https://gitee.com/oschina/gitee',
  },
};

export const pagurePush = {
  i: 1,
  msg: {
    authors: [{ fullname: 'Pierre', name: 'pingou' }],
    agent: 'pingou',
    branch: 'main',
    forced: 'False',
    pagure_instance: 'https://pagure.example.org/',
    project_fullname: 'forks/pingou/fedora-infra',
    repo: { fullname: 'fedora-infra', name: 'fedora-infra' },
    start_commit: '5a8ac1c3b2ec12a26e6ca7a6a6a5cda94d5c4bd5',
  },
  msg_id: '2018-d5b6ee68-59a1-4c2f-bd0a-4ee0ea9cf0d4',
  timestamp: 1521536820,
  topic: 'git.receive',
};

export const azurePush = {
  subscriptionId: '00000000-0000-0000-0000-000000000000',
  notificationId: 5,
  id: '03c164c2-8912-4d5e-8009-3707d5f83734',
  eventType: 'git.push',
  publisherId: 'tfs',
  resource: {
    refUpdates: [
      {
        name: 'refs/heads/main',
        oldObjectId: 'aad331d8d3b131fa9ae03cf5e53965b51942618a',
        newObjectId: '33b55f7cb7e7e245323987634f960cf4a6e6bc74',
      },
    ],
    repository: {
      id: '278d5cd2-584d-4b63-824a-2ba458937249',
      name: 'Fabrikam Git',
      url: 'https://dev.azure.com/fabrikam/_apis/git/repositories/278d5cd2-584d-4b63-824a-2ba458937249',
      project: { id: '6ce954b1-ce1f-45d1-b94d-e6bf2464ba2c', name: 'Fabrikam Fiber', state: 'wellFormed' },
      defaultBranch: 'refs/heads/main',
      remoteUrl: 'https://fabrikam@dev.azure.com/fabrikam/Fabrikam%20Fiber/_git/Fabrikam%20Git',
    },
  },
  resourceVersion: '1.0',
};
