# Sourced by the entry points: a setting with a secret may be in the file that NAME_FILE names, such as a mounted secret.
for name in PARLANCE_SERVICE_SECRET PARLANCE_ENCRYPTION_KEY MONGODB_URI NATS_URL REDIS_URL S3_ACCESS_KEY S3_SECRET_KEY PARLANCE_SMTP_URL \
  BACKUP_S3_ACCESS_KEY BACKUP_S3_SECRET_KEY; do
  eval "file=\${${name}_FILE:-}"
  [ -n "$file" ] || continue
  if ! value=$(cat "$file"); then
    echo "${name}_FILE names a file that cannot be read: $file" >&2
    exit 2
  fi
  export "$name=$value"
done
unset name file value
