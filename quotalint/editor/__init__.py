"""What an editor shows of a repository while somebody types: findings, quotas, repairs, also before it is saved."""
