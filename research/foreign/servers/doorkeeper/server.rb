# Doorkeeper in a Rails application in one file: its own pages and tables, a login, and three resources behind its
# doorkeeper_authorize!.
load File.join(__dir__, 'Gemfile')
require 'logger'
require 'json'
require 'rails'
require 'active_record/railtie'
require 'action_controller/railtie'
require 'doorkeeper'
require 'rack/handler/puma'
require_relative '../clock'

# One connection and one thread: SQLite has no locks of rows, by which Doorkeeper lets one of two requests win.
ENV['DATABASE_URL'] = 'sqlite3::memory:?pool=1'

WORLD = JSON.parse(File.read(File.join(__dir__, '../world.json')))

class App < Rails::Application
  config.load_defaults 6.1
  config.eager_load = false
  config.root = __dir__
  config.hosts.clear
  config.secret_key_base = 'a key for tests'
  config.log_level = :warn
  config.logger = Logger.new($stderr)
end

class Account < ActiveRecord::Base; end

DAY = 24 * 60 * 60
# Of a token of client_credentials, the account that owns the application.
ACCOUNT_OF = ->(token) { token.resource_owner_id ? Account.find(token.resource_owner_id) : Account.find_by(name: 'owner') }

Doorkeeper.configure do
  orm :active_record
  resource_owner_authenticator do
    Account.find_by(id: session[:account]) || redirect_to("/login?#{{ back: request.fullpath }.to_query}")
  end
  grant_flows %w[authorization_code client_credentials]
  allow_grant_flow_for_client { |flow, client| flow != 'client_credentials' || client.confidential? }
  optional_scopes(*WORLD['scopes'])
  enforce_configured_scopes
  enforce_content_type
  authorization_code_expires_in 30
  custom_access_token_expires_in do |context|
    next Float::INFINITY if context.grant_type == 'client_credentials'

    context.client.confidential? ? 28 * DAY : 10 * 60 * 60
  end
  use_refresh_token { |context| context.client.refresh? }
  access_token_methods :from_bearer_authorization
  force_ssl_in_redirect_uri false
  allow_blank_redirect_uri true
  allow_token_introspection do |token, client, bearer|
    if bearer
      bearer.application == token&.application || bearer.scopes.include?('oauth:introspect')
    else
      client == token.application
    end
  end
  custom_introspection_response { |token, _| { sub: ACCOUNT_OF[token].uuid, username: ACCOUNT_OF[token].name } }
end

# What its documentation says for members of one's own in the token response.
module Identity
  def body
    super.merge('username' => ACCOUNT_OF[token].name, 'sub' => ACCOUNT_OF[token].uuid)
  end
end
Doorkeeper::OAuth::TokenResponse.prepend(Identity)

class SessionsController < ActionController::Base
  def new
    render inline: <<~PAGE
      <!doctype html><title>Sign in</title><%= form_tag '/login' do %><%= hidden_field_tag :back, params[:back] %>
      <%= text_field_tag :username %><%= password_field_tag :password %><%= submit_tag 'Sign in' %><% end %>
    PAGE
  end

  def create
    account = Account.find_by(name: params[:username])
    return redirect_to(action: :new, back: params[:back]) unless account && params[:password] == 'password'

    session[:account] = account.id
    redirect_to params[:back]
  end
end

class ResourcesController < ActionController::API
  before_action(only: :profile) { doorkeeper_authorize! :'account:profile' }
  before_action(only: :characters) { doorkeeper_authorize! :'account:characters' }
  before_action(only: :leagues) { doorkeeper_authorize! :'service:leagues' }

  def profile
    account = ACCOUNT_OF[doorkeeper_token]
    render json: { uuid: account.uuid, name: account.name, locale: nil }
  end

  def characters
    render json: { characters: [] }
  end

  def leagues
    render json: { leagues: [] }
  end
end

class ControlController < ActionController::API
  def capabilities
    render json: { protocol: 1, capabilities: ['clock'] }
  end

  def clock
    render json: { now: MovedClock.advance(params[:advance].to_f), frozen: false }
  end
end

App.initialize!

# The tables of Doorkeeper's migrations, with PKCE, and refresh tokens that are revoked as soon as they are used.
ActiveRecord::Schema.verbose = false
ActiveRecord::Schema.define do
  create_table(:accounts) do |t|
    t.string :name
    t.string :uuid
  end
  create_table(:oauth_applications) do |t|
    t.string :name, null: false
    t.string :uid, null: false, index: { unique: true }
    t.string :secret, null: false
    t.text :redirect_uri
    t.string :scopes, null: false, default: ''
    t.boolean :confidential, null: false, default: true
    t.boolean :refresh, null: false, default: false
    t.timestamps
  end
  create_table(:oauth_access_grants) do |t|
    t.references :resource_owner, null: false
    t.references :application, null: false
    t.string :token, null: false, index: { unique: true }
    t.integer :expires_in, null: false
    t.text :redirect_uri, null: false
    t.datetime :created_at, null: false
    t.datetime :revoked_at
    t.string :scopes, null: false, default: ''
    t.string :code_challenge
    t.string :code_challenge_method
  end
  create_table(:oauth_access_tokens) do |t|
    t.references :resource_owner
    t.references :application, null: false
    t.string :token, null: false, index: { unique: true }
    t.string :refresh_token, index: { unique: true }
    t.integer :expires_in
    t.datetime :revoked_at
    t.datetime :created_at, null: false
    t.string :scopes
  end
end

WORLD['accounts'].each { |name, uuid| Account.create!(name: name, uuid: uuid) }
WORLD['clients'].each_value do |known|
  Doorkeeper::Application.create!(
    name: known['client_id'], uid: known['client_id'], secret: known['client_secret'] || '',
    redirect_uri: (known['redirect_uris'] || [known['redirect_uri']]).compact.join("\n"),
    scopes: known['scopes'].join(' '), confidential: known.key?('client_secret'), refresh: known['refresh'] || false
  )
end
ActiveRecord::Base.clear_active_connections!

App.routes.draw do
  use_doorkeeper { skip_controllers :applications, :authorized_applications, :token_info }
  get '/login', to: 'sessions#new'
  post '/login', to: 'sessions#create'
  get '/profile', to: 'resources#profile'
  get '/character', to: 'resources#characters'
  get '/league', to: 'resources#leagues'
  get '/__control', to: 'control#capabilities'
  match '/__control/clock', to: 'control#clock', via: %i[get post]
end
Rack::Handler::Puma.run(App, Host: '127.0.0.1', Port: ENV.fetch('PORT'), Threads: '1:1', Silent: true)
