const push = (repository, ref = 'refs/heads/main') => ({
  ref,
  repository: {
    name: 'agree',
    url: repository,
    homepage: repository,
    git_http_url: repository,
    git_ssh_url: 'git@example.com:agree/none-such.git',
  },
  project: { path_with_namespace: 'agree/none-such' },
});

export const hooks = [
  ...['github', 'gitlab', 'bitbucket', 'pagure', 'azure', 'gitea', 'gitee', 'nope'].flatMap((provider) => [
    ['POST', `/hooks/${provider}/`, {}],
    ['POST', `/hooks/${provider}/`, { zen: 'Keep it logically awesome.' }],
    ['GET', `/hooks/${provider}/`],
  ]),
  ['POST', '/hooks/gitlab/', []],
  ['POST', '/hooks/gitlab/', push('https://example.com/agree/none.git')],
  ['POST', '/hooks/gitlab/', push('$repo', 'refs/heads/other')],
  ['POST', '/hooks/gitlab/', push('$repo')],
];
